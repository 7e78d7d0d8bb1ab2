import { useMutation } from '@tanstack/react-query';
import type { LeadAction } from '../../../../src/contract/leads/actions.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { type Selection, sizeOf, startMarking } from './action-queries.ts';
import { sizeText } from './action-words.ts';

interface MarkDialogProps {
  readonly opened: boolean;
  readonly mark: LeadAction['mark'];
  readonly chosen: Selection;
  readonly onClose: () => void;
  onMarked(id: string, mark: LeadAction['mark'], chosen: Selection): void;
}

/** For leads that nobody has looked at one by one. */
export function MarkDialog({ opened, mark, chosen, onClose, onMarked }: MarkDialogProps) {
  const workspaceId = useWorkspaceId();
  const marking = useMutation({
    mutationFn: () => startMarking(workspaceId, chosen, mark),
    onSuccess(id) {
      onClose();
      onMarked(id, mark, chosen);
    },
  });
  const leads = sizeText(sizeOf(chosen));
  const what =
    mark === null
      ? `Remove the marks from ${leads}`
      : `Mark ${leads} as ${mark === 'spam' ? 'spam' : 'not spam'}`;
  return (
    <Confirm
      opened={opened}
      title={`${what}?`}
      action={what}
      isHarmless
      mutation={marking}
      onClose={() => {
        onClose();
        marking.reset();
      }}
    >
      This applies to every lead that matches the filters, including those that are not loaded. Destinations
      are told about each. You can undo it for 24 hours.
    </Confirm>
  );
}
