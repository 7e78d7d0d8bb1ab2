import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { toastDone } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import type { ViewDialogProps } from './rename-view.tsx';
import { showDeleted } from './view-queries.ts';

export function DeleteView({ opened, onClose, view }: ViewDialogProps) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const mutation = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/lead-views/:view_id', {
        params: { workspace_id: workspaceId, view_id: view.id },
      }),
    onSuccess: async () => {
      onClose();
      await navigate({ to: '.', search: {} });
      showDeleted(workspaceId, view.id);
      toastDone(`Deleted view ${view.name}.`);
    },
  });
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Delete view ${view.name}?`}
      action="Delete view"
      mutation={{ ...mutation, mutate: () => mutation.mutate() }}
    >
      Everyone in the workspace loses it. No lead is changed or deleted.
    </Confirm>
  );
}
