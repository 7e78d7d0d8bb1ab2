import { useMutation } from '@tanstack/react-query';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { type Selection, sizeOf, startErasure } from './action-queries.ts';
import { sizeText } from './action-words.ts';

interface EraseDialogProps {
  readonly opened: boolean;
  readonly chosen: Selection;
  readonly onClose: () => void;
  onStarted(): void;
}

/** Nothing brings them back, so their number must be typed. */
export function EraseDialog({ opened, chosen, onClose, onStarted }: EraseDialogProps) {
  const workspaceId = useWorkspaceId();
  const erase = useMutation({
    mutationFn: () => startErasure(workspaceId, chosen),
    onSuccess() {
      onClose();
      onStarted();
    },
  });
  const size = sizeOf(chosen);
  return (
    <Confirm
      opened={opened}
      title={`Erase ${sizeText(size)}?`}
      action={`Erase ${sizeText(size)} permanently`}
      typed={String(size.count)}
      mutation={erase}
      onClose={() => {
        onClose();
        erase.reset();
      }}
    >
      The leads, their exact bytes, their enrichment, their marks and every copy are erased permanently, and
      what was not delivered yet is not sent. This cannot be undone. If you stop it, only the leads that are
      not erased yet remain.
    </Confirm>
  );
}
