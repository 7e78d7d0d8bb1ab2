import { Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { chatServiceIds } from '../../../../../src/contract/destinations/terms.ts';
import type { DestinationDraft } from '../../draft/draft.ts';
import { KeptSecret } from '../kept-secret.tsx';
import { type OfKind, serviceNames } from '../kind-words.ts';

type Service = OfKind<'chat'>['service'];

const choices = chatServiceIds.map((value) => ({ value, label: serviceNames[value] }));

/** Where to get the URL, and what it looks like. */
const sources: Readonly<Record<Service, { hint: string; example: string }>> = {
  slack: {
    hint: 'In Slack: create an app at api.slack.com/apps, turn on Incoming Webhooks and add one to a channel.',
    example: 'https://hooks.slack.com/services/…',
  },
  mattermost: {
    hint: 'In Mattermost: product menu, Integrations, Incoming Webhooks, Add Incoming Webhook.',
    example: 'https://mattermost.example.com/hooks/…',
  },
  teams: {
    hint: 'In Teams: the menu of the channel, Workflows, and the template that posts to a channel when a webhook request is received.',
    example: 'https://….api.powerplatform.com/…',
  },
  discord: {
    hint: 'In Discord: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.',
    example: 'https://discord.com/api/webhooks/…',
  },
};

interface ChatInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  /** Null for a new one. */
  readonly stored: OfKind<'chat'> | null;
}

export function ChatInputs({ form, stored }: ChatInputsProps) {
  const { service } = form.values;
  const { hint, example } = sources[service];
  return (
    <>
      <Select
        label="Service"
        data={choices}
        allowDeselect={false}
        {...form.getInputProps('service')}
        value={service}
      />
      <KeptSecret
        form={form}
        field="url"
        label="URL"
        description={`${hint} Anyone who knows the URL can post to the channel, so it is encrypted and never shown again.`}
        placeholder={example}
        stored={stored && `A URL at ${stored.host}. It is a secret, and never shown.`}
      />
    </>
  );
}
