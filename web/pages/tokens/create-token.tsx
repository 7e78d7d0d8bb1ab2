import { Modal, Select, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ShownToken } from './shown-token.tsx';

const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const dayMs = 86_400_000;

interface CreateTokenProps {
  readonly opened: boolean;
  readonly forms: readonly Form[];
  onClose(): void;
}

export function CreateToken({ opened, forms, onClose }: CreateTokenProps) {
  const workspaceId = useWorkspaceId();
  const [name, setName] = useState('');
  const [formId, setFormId] = useState<string | null>(null);
  const [days, setDays] = useState('');
  const chosenForm = formId ?? forms[0]?.id ?? '';
  const create = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/tokens', {
        params: { workspace_id: workspaceId },
        body: {
          name,
          form_id: chosenForm,
          expires_at: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
        },
      }),
  });
  const close = () => {
    onClose();
    create.reset();
    setName('');
  };
  if (create.data) {
    return (
      <ShownToken
        opened={opened}
        title={`Token ${create.data.name}`}
        token={create.data.token}
        onClose={close}
      >
        Send a lead with it:
      </ShownToken>
    );
  }
  const problem = remainingProblem(create.error, ['name', 'form_id', 'expires_at']);
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>Create an ingest token</Text>}>
      <DialogForm submitLabel="Create token" problem={problem} mutation={create} onCancel={close}>
        <TextInput
          label="Name"
          description="Where it will be used, for example “Shop backend”."
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultOf(create.error, 'name')}
        />
        <Select
          label="Form"
          description="Every lead sent with this token belongs to it."
          data={forms.map((form) => ({ value: form.id, label: form.name }))}
          value={chosenForm}
          onChange={setFormId}
          allowDeselect={false}
          searchable={forms.length > 8}
          error={faultOf(create.error, 'form_id')}
        />
        <Select
          label="Expires"
          data={expiries}
          value={days}
          onChange={(value) => setDays(value ?? '')}
          allowDeselect={false}
          error={faultOf(create.error, 'expires_at')}
        />
      </DialogForm>
    </Modal>
  );
}
