import { Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { discardDryRunQuery, type HeldSelection, startDiscard } from '../../../api/held-queries.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { tellDecision } from './decision-toast.tsx';
import { Refusal } from './refusal.tsx';

interface DiscardDialogProps {
  readonly opened: boolean;
  readonly selection: HeldSelection;
  onStarted(decisionId: string): void;
  onClose(): void;
}

/** Discards a selection in the background, after it was counted. */
export function DiscardDialog({ opened, selection, onStarted, onClose }: DiscardDialogProps) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const dryRun = useQuery({ ...discardDryRunQuery(workspaceId, selection), enabled: opened });
  const discard = useMutation({
    mutationFn: () => startDiscard(workspaceId, selection),
    onSuccess(id) {
      onClose();
      tellDecision(workspaceId, id, 'The requests are being discarded.');
      onStarted(id);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['held', workspaceId] }),
  });
  const count = dryRun.data?.count ?? 0;
  return (
    <Confirm
      opened={opened}
      title="Discard these requests?"
      action={count === 0 ? 'Discard' : `Discard ${countText(count, 'request')}`}
      isReady={count > 0 && !dryRun.isFetching}
      mutation={discard}
      failure={(error) => <Refusal error={error} />}
      onClose={() => {
        onClose();
        discard.reset();
      }}
    >
      <Loaded query={dryRun} rows={1}>
        {() => (
          <Text size="sm" role="status">
            {count === 0
              ? 'Nothing of this selection is still held.'
              : `The content of ${countText(count, 'request')} is deleted, and ${count === 1 ? 'it' : 'they'} can never become ${count === 1 ? 'a lead' : 'leads'}. This cannot be undone.`}
          </Text>
        )}
      </Loaded>
    </Confirm>
  );
}
