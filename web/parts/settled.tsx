import { Box } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Loading } from './states.tsx';

const waitMsMax = 5_000;

/**
 * Shows parts of a page that load separately all at the same time, because each would move those below it. What is slow
 * does not hide the rest for long.
 */
export function Settled({ rows, children }: { rows?: number; children: ReactNode }) {
  const queryClient = useQueryClient();
  const [isShown, setShown] = useState(false);
  const [isMounted, setMounted] = useState(false);
  // Renders again whenever a query starts or ends.
  useIsFetching();
  // The parts start their queries when they are mounted, and the page around them after that.
  useEffect(() => setMounted(true), []);
  useEffect(() => {
    const isFirst = { predicate: ({ state }: { state: { status: string } }) => state.status === 'pending' };
    if (isMounted && !isShown && queryClient.isFetching({ type: 'active', ...isFirst }) === 0) setShown(true);
  });
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), waitMsMax);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box pos="relative">
      {!isShown && (
        <Box pos="absolute" inset={0}>
          <Loading rows={rows ?? 4} />
        </Box>
      )}
      {/* Hidden parts keep their place and cannot be focused. */}
      <div style={isShown ? undefined : { visibility: 'hidden' }}>{children}</div>
    </Box>
  );
}
