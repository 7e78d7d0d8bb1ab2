import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { faultOf, remainingProblem } from '../problem.ts';
import { DialogForm } from './dialog-form.tsx';

/** Whoever creates a workspace owns it, so the new one is opened. */
export function CreateWorkspace({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => api('POST', '/workspaces', { body: { name } }),
    onSuccess: async ({ id }) => {
      onClose();
      setName('');
      await queryClient.invalidateQueries();
      await navigate({ to: '/w/$workspaceId', params: { workspaceId: id } });
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={620}>Create a workspace</Text>}>
      <DialogForm
        submitLabel="Create"
        problem={remainingProblem(create.error, ['name'])}
        mutation={create}
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultOf(create.error, 'name')}
        />
      </DialogForm>
    </Modal>
  );
}
