import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { SlugInput } from './slug/slug-input.tsx';

export function CreateForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    initialValues: { name: '', slug: '' },
    send: ({ name, slug }) =>
      api('POST', '/workspaces/:workspace_id/forms', {
        params: { workspace_id: workspaceId },
        body: { name, ...(slug === '' ? {} : { slug }) },
      }),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: formsQuery(workspaceId).queryKey });
      await navigate({ to: '/w/$workspaceId/forms/$formId', params: { workspaceId, formId: id } });
    },
  });
  const close = () => {
    onClose();
    form.reset();
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New form</Text>}>
      <DialogForm form={form} submitLabel="Create form" onCancel={close}>
        <TextInput
          label="Name"
          placeholder="Website contact"
          data-autofocus
          attributes={{ input: { dir: 'auto' } }}
          required
          {...form.getInputProps('name')}
        />
        <SlugInput
          workspaceId={workspaceId}
          name={form.values.name}
          {...form.getInputProps('slug')}
          value={form.values.slug}
        />
      </DialogForm>
    </Modal>
  );
}
