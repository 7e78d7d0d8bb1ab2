import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { DestinationDraft } from '../draft/draft.ts';

interface KeptSecretProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly field: 'url' | 'token';
  readonly label: string;
  readonly description: ReactNode;
  readonly placeholder: string;
  /** What can be said of the stored one; null if there is none. */
  readonly stored: string | null;
}

/** An input for a secret that is never shown again: the stored one stays until someone replaces it. */
export function KeptSecret(props: KeptSecretProps) {
  const { form, field, label, description, placeholder, stored } = props;
  const value = form.values[field];
  const set = (next: string | null) => {
    form.clearFieldError(field);
    form.setFieldValue(field, next);
  };
  if (value === null)
    return (
      <Stack gap={4} align="flex-start" role="group" aria-label={label}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" c="dimmed" className="wrap">
          {stored}
        </Text>
        {form.errors[field] !== undefined && (
          <Text size="xs" c="var(--rejected-text)" role="alert" className="wrap">
            {form.errors[field]}
          </Text>
        )}
        <Button size="xs" variant="default" mt={4} onClick={() => set('')}>
          Replace {label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}
        </Button>
      </Stack>
    );
  return (
    <Stack gap={6} align="flex-start">
      <PasswordInput
        w="100%"
        label={label}
        description={description}
        placeholder={placeholder}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': `Show ${label}` }}
        {...form.getInputProps(field)}
        value={value}
      />
      {stored !== null && (
        <Group gap="xs">
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => set(null)}>
            Keep the stored one
          </Button>
        </Group>
      )}
    </Stack>
  );
}
