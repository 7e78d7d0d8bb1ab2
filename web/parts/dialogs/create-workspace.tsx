import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useApiForm } from '../api-form.tsx';
import { DialogForm } from './dialog-form.tsx';

/** People own the workspaces they create, so the new one is opened. */
export function CreateWorkspace({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    initialValues: { name: '' },
    send: (body) => api('POST', '/workspaces', { body }),
    async onSuccess({ id }) {
      close();
      await queryClient.invalidateQueries();
      await navigate({ to: '/w/$workspaceId', params: { workspaceId: id } });
    },
  });
  const close = () => {
    onClose();
    form.reset();
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New workspace</Text>}>
      <DialogForm form={form} submitLabel="Create workspace" onCancel={close}>
        <TextInput label="Name" data-autofocus required {...form.getInputProps('name')} />
      </DialogForm>
    </Modal>
  );
}
