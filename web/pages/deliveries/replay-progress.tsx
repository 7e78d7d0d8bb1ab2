import { Box, CloseButton, Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { replayQuery } from '../../api/destination-queries.ts';
import { countText, numberText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** How far a selection of deliveries has been sent again. It is in the URL, so that a reload does not lose it. */
export function ReplayProgress({ replayId, onClose }: { replayId: string; onClose: () => void }) {
  const query = useQuery(replayQuery(useWorkspaceId(), replayId));
  return (
    <Box className="panel" p="md" mb="md" role="group" aria-label="Sending again">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Box flex={1}>
          <Loaded query={query} rows={1}>
            {({ done, total, finished_at }) => (
              <>
                <Text size="sm" mb={6} role="status">
                  {finished_at === null
                    ? `Sending again: ${numberText(done)} of ${countText(total, 'delivery')}`
                    : `${countText(done, 'delivery')} queued to be sent again. Their results appear below.`}
                </Text>
                <Progress
                  value={total === 0 ? 100 : (done / total) * 100}
                  aria-label="Progress of sending again"
                  {...(finished_at === null ? {} : { color: 'teal' })}
                />
              </>
            )}
          </Loaded>
        </Box>
        <CloseButton onClick={onClose} aria-label="Hide progress" />
      </Group>
    </Box>
  );
}
