import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { DestinationDraft } from '../../draft/draft.ts';
import { AddressInput } from './address-input.tsx';

/** Who gets the emails of a new destination. */
export function RecipientInputs({ form }: { form: UseFormReturnType<DestinationDraft> }) {
  return (
    <div>
      <AddressInput
        label="Recipients"
        description="Type an address and press Enter, or paste several."
        value={form.values.recipients}
        error={form.errors.recipients}
        onChange={(recipients) => {
          form.clearFieldError('recipients');
          form.setFieldValue('recipients', recipients);
        }}
      />
      <Text size="xs" c="dimmed" mt={6}>
        Members of the workspace get emails immediately if their address is known to be theirs, because they
        once used a link that was emailed to it. Everyone else first gets a link to confirm their address.
        Each email has a link to unsubscribe.
      </Text>
    </div>
  );
}
