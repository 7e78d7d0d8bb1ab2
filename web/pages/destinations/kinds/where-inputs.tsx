import { Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { nameCharactersMax } from '../../../../src/contract/destinations/terms.ts';
import type { DestinationDraft } from '../draft/draft.ts';
import { ChatInputs } from './chat/chat-inputs.tsx';
import { RecipientInputs } from './email/recipient-inputs.tsx';
import { RecipientList } from './email/recipient-list.tsx';
import { TokenInput } from './hubspot/token-input.tsx';
import type { Kind, OfKind } from './kind-words.ts';
import { WebhookInputs } from './webhook/webhook-inputs.tsx';

const nameHints: Readonly<Record<Kind, string>> = {
  webhook: 'What you call the receiver, for example “CRM” or “Sales automation”.',
  email: 'What the emails are for, for example “Sales team”. Recipients see it.',
  chat: 'What you call the channel, for example “#leads”.',
  hubspot: 'What you call the account, for example “HubSpot EU”.',
};

interface WhereInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  /** Null for a new one. */
  readonly stored: Destination | null;
}

export function WhereInputs({ form, stored }: WhereInputsProps) {
  return (
    <Stack gap="md" maw={640}>
      <TextInput
        label="Name"
        description={nameHints[form.values.kind]}
        maxLength={nameCharactersMax}
        attributes={{ input: { dir: 'auto' } }}
        {...form.getInputProps('name')}
      />
      <OwnInputs form={form} stored={stored} />
    </Stack>
  );
}

/** The kind of what is stored never changes. */
function OwnInputs({ form, stored }: WhereInputsProps) {
  switch (form.values.kind) {
    case 'webhook':
      return <WebhookInputs form={form} stored={stored as OfKind<'webhook'> | null} />;
    case 'email':
      return stored === null ? (
        <RecipientInputs form={form} />
      ) : (
        <RecipientList form={form} stored={stored as OfKind<'email'>} />
      );
    case 'chat':
      return <ChatInputs form={form} stored={stored as OfKind<'chat'> | null} />;
    case 'hubspot':
      return <TokenInput form={form} isStored={stored !== null} />;
  }
}
