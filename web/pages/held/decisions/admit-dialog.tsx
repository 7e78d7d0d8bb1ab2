import { type HeldSelection, startAdmission } from '../../../api/held-queries.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { AdmissionDialog } from './admission-dialog.tsx';
import { tellDecision } from './decision-toast.tsx';

interface AdmitDialogProps {
  readonly opened: boolean;
  readonly selection: HeldSelection;
  onStarted(decisionId: string): void;
  onClose(): void;
}

/** Admits a selection in the background. */
export function AdmitDialog({ selection, onStarted, ...dialog }: AdmitDialogProps) {
  const workspaceId = useWorkspaceId();
  return (
    <AdmissionDialog
      {...dialog}
      selection={selection}
      isSingle={false}
      admit={(choices) => startAdmission(workspaceId, selection, choices)}
      onAdmitted={(id) => {
        tellDecision(workspaceId, id, 'The requests are being admitted.');
        onStarted(id);
      }}
    />
  );
}
