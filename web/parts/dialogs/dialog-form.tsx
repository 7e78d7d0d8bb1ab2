import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogFormProps {
  readonly submitLabel: string;
  /** What is wrong and belongs to no field. */
  readonly problem: string | null | undefined;
  readonly mutation: { readonly isPending: boolean; mutate(): void };
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The form of a dialog: its fields, what went wrong, and the way out. A second click does nothing. */
export function DialogForm({ submitLabel, problem, mutation, onCancel, children }: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!mutation.isPending) mutation.mutate();
      }}
    >
      <Stack gap="sm">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {children}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={mutation.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
