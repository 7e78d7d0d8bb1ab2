import { Modal, Text, TextInput } from '@mantine/core';
import type { LeadView } from '../../../../src/contract/leads/views.ts';
import { api } from '../../../api/client.ts';
import { useApiForm } from '../../../parts/api-form.tsx';
import { DialogForm } from '../../../parts/dialogs/dialog-form.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { showSaved } from './view-queries.ts';

export interface ViewDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly view: LeadView;
}

export function RenameView({ opened, onClose, view }: ViewDialogProps) {
  const workspaceId = useWorkspaceId();
  const form = useApiForm({
    initialValues: { name: view.name },
    send: (body) =>
      api('PATCH', '/workspaces/:workspace_id/lead-views/:view_id', {
        params: { workspace_id: workspaceId, view_id: view.id },
        body,
      }),
    onSuccess: (changed) => {
      showSaved(workspaceId, changed);
      onClose();
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>Rename view</Text>}>
      <DialogForm form={form} submitLabel="Rename" onCancel={close}>
        <TextInput label="Name" maxLength={80} data-autofocus {...form.getInputProps('name')} />
      </DialogForm>
    </Modal>
  );
}
