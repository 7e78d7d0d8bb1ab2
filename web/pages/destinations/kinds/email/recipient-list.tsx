import { Box, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { DestinationDraft } from '../../draft/draft.ts';
import type { OfKind } from '../kind-words.ts';
import { AddressInput } from './address-input.tsx';
import { isAddress } from './addresses.ts';
import { RecipientRow } from './recipient-row.tsx';

interface RecipientListProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly stored: OfKind<'email'>;
}

/** Who gets the emails, and what keeps the others from it. Added and removed ones are saved with the form. */
export function RecipientList({ form, stored }: RecipientListProps) {
  const { recipients } = form.values;
  /** What was typed but is no address. */
  const [wrong, setWrong] = useState<string[]>([]);
  const set = (next: string[]) => {
    form.clearFieldError('recipients');
    form.setFieldValue('recipients', next);
  };
  const add = (typed: string[]) => {
    const added = typed.filter((address) => isAddress(address) && !recipients.includes(address));
    if (added.length > 0) set([...recipients, ...added]);
    setWrong(typed.filter((address) => !isAddress(address)));
  };
  return (
    <Box role="group" aria-labelledby="recipients-label">
      <Text size="sm" fw={600} id="recipients-label">
        Recipients
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        Everyone but members whose address is known to be theirs gets emails once they have confirmed.
      </Text>
      <Stack gap={0} component="ul" m={0} p={0} className="statements" aria-labelledby="recipients-label">
        {recipients.map((address) => (
          <RecipientRow
            key={address}
            address={address}
            recipient={stored.recipients.find((one) => one.address === address) ?? null}
            destinationId={stored.id}
            onRemove={() => set(recipients.filter((one) => one !== address))}
          />
        ))}
      </Stack>
      {recipients.length === 0 && (
        <Text size="sm" c="dimmed">
          No recipients. Add one to save the destination.
        </Text>
      )}
      <Box mt="sm">
        <AddressInput
          label="Add recipients"
          value={wrong}
          without={recipients}
          error={form.errors.recipients}
          onChange={add}
        />
      </Box>
    </Box>
  );
}
