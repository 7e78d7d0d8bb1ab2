import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ApiForm, SubmitForm } from '../api-form.tsx';

interface DialogFormProps {
  readonly form: Pick<ApiForm<unknown>, 'problem' | 'submit'> & { mutation: { readonly isPending: boolean } };
  readonly submitLabel: string;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The form of a dialog, with its inputs, what went wrong, and both buttons. */
export function DialogForm({ form, submitLabel, onCancel, children }: DialogFormProps) {
  return (
    <SubmitForm form={form}>
      {children}
      <Group justify="flex-end" gap="xs" mt="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.mutation.isPending}>
          {submitLabel}
        </Button>
      </Group>
    </SubmitForm>
  );
}
