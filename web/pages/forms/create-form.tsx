import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { SlugInput } from './slug-input.tsx';

export function CreateForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const create = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/forms', {
        params: { workspace_id: workspaceId },
        body: { name, ...(slug === '' ? {} : { slug }) },
      }),
    async onSuccess(form) {
      await queryClient.invalidateQueries({ queryKey: formsQuery(workspaceId).queryKey });
      await navigate({ to: '/w/$workspaceId/forms/$formId', params: { workspaceId, formId: form.id } });
    },
  });
  const problem = remainingProblem(create.error, ['name', 'slug']);
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={620}>Create a form</Text>}>
      <DialogForm submitLabel="Create form" problem={problem} mutation={create} onCancel={onClose}>
        <TextInput
          label="Name"
          placeholder="Website contact"
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultOf(create.error, 'name')}
        />
        <SlugInput
          workspaceId={workspaceId}
          name={name}
          value={slug}
          onChange={setSlug}
          error={faultOf(create.error, 'slug')}
        />
      </DialogForm>
    </Modal>
  );
}
