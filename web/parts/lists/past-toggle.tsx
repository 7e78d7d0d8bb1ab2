import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { countText } from '../numbers.ts';

/** Below a list of keys, which shows only those that work unless the address says otherwise. */
export function PastToggle(props: { count: number; noun: string; show: 'all' | undefined }) {
  const { count, noun, show } = props;
  const navigate = useNavigate();
  if (count === 0) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      mt="sm"
      onClick={() => void navigate({ to: '.', search: show === 'all' ? {} : { show: 'all' } })}
    >
      {show === 'all'
        ? `Hide revoked and expired ${noun}s`
        : `Show ${countText(count, `revoked or expired ${noun}`)}`}
    </Button>
  );
}
