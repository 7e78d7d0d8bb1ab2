import { Modal, Select, Text, TextInput } from '@mantine/core';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { dayStart, localDay } from '../../parts/lists/day-input.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ShownToken } from './shown-token.tsx';

const onDay = 'day';
const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: onDay, label: 'On a date' },
];
const dayMs = 86_400_000;

interface CreateTokenProps {
  readonly opened: boolean;
  readonly forms: readonly Form[];
  onClose(): void;
}

export function CreateToken({ opened, forms, onClose }: CreateTokenProps) {
  const workspaceId = useWorkspaceId();
  const firstForm = forms[0]?.id ?? '';
  const form = useApiForm({
    // `expires_at` is a day, which counts only if the choice is one.
    initialValues: { name: '', form_id: '', expires_at: '', choice: '' },
    send: ({ name, form_id, expires_at: day, choice }) =>
      api('POST', '/workspaces/:workspace_id/tokens', {
        params: { workspace_id: workspaceId },
        body: {
          name,
          form_id: form_id || firstForm,
          expires_at: expiryOf(choice, day),
        },
      }),
  });
  const close = () => {
    onClose();
    form.reset();
  };
  const created = form.mutation.data;
  if (created) {
    return (
      <ShownToken opened={opened} title={`Token ${created.name}`} created={created} onClose={close}>
        Use it to send a lead:
      </ShownToken>
    );
  }
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New ingest token</Text>}>
      <DialogForm form={form} submitLabel="Create token" onCancel={close}>
        <TextInput
          label="Name"
          description="Where you will use it, for example “Shop backend”."
          data-autofocus
          required
          {...form.getInputProps('name')}
        />
        <Select
          label="Form"
          description="Leads sent with this token belong to this form."
          data={forms.map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
          searchable={forms.length > 8}
          {...form.getInputProps('form_id')}
          value={form.values.form_id || firstForm}
        />
        <Select
          label="Expires"
          data={expiries}
          allowDeselect={false}
          {...form.getInputProps('choice')}
          {...(form.values.choice === onDay ? {} : { error: form.errors.expires_at })}
        />
        {form.values.choice === onDay && (
          <TextInput
            label="Last day"
            description="It works until the end of this day, by your clock."
            type="date"
            required
            min={localDay(new Date())}
            {...form.getInputProps('expires_at')}
          />
        )}
      </DialogForm>
    </Modal>
  );
}

function expiryOf(choice: string, day: string): string | null {
  if (choice === '') return null;
  if (choice !== onDay) return new Date(Date.now() + Number(choice) * dayMs).toISOString();
  return dayStart(day, 1) ?? null;
}
