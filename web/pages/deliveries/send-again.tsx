import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { DeliveryFilters } from '../../api/destination-queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { countText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

interface SendAgainProps {
  readonly filters: DeliveryFilters;
  onStarted(replayId: string): void;
}

/** Sends all deliveries that match the filters again: counts them first, then asks. */
export function SendAgain({ filters, onStarted }: SendAgainProps) {
  const workspaceId = useWorkspaceId();
  const [isAsking, ask] = useDisclosure();
  // One lead has a few deliveries, each with its own button.
  const { submission_id, ...filter } = filters;
  const replay = (dry_run: boolean) =>
    api('POST', '/workspaces/:workspace_id/deliveries/replays', {
      params: { workspace_id: workspaceId },
      body: { filter, dry_run },
    });
  const count = useQuery({
    queryKey: ['replay count', workspaceId, filter],
    queryFn: () => replay(true),
    enabled: isAsking,
    // It is asked about now.
    staleTime: 0,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: () => replay(false),
    onSuccess({ id }) {
      ask.close();
      if (id !== null) onStarted(id);
    },
  });
  const total = count.data?.total ?? 0;
  if (submission_id !== undefined) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="refresh" size={15} />} onClick={ask.open}>
        Send again…
      </Button>
      <Confirm
        opened={isAsking}
        title="Send deliveries again?"
        action={total > 0 ? `Send ${countText(total, 'delivery')} again` : 'Send again'}
        isReady={total > 0 && !count.isFetching}
        isHarmless
        mutation={start}
        onClose={() => {
          ask.close();
          start.reset();
        }}
      >
        <Loaded query={count} rows={1}>
          {() =>
            total === 0 ? (
              <Text size="sm">
                No delivery of this selection can be sent again. Those that still wait are left out, and so
                are those whose lead or destination no longer exists.
              </Text>
            ) : (
              <Text size="sm">
                <b>{countText(total, 'delivery')}</b> of this selection {total === 1 ? 'is' : 'are'} sent
                again, at the pace of the destinations and after new leads. Each has the same{' '}
                <code>webhook-id</code> as before, so that a receiver can recognise what it already has.
              </Text>
            )
          }
        </Loaded>
      </Confirm>
    </>
  );
}
