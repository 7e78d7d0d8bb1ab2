import { Stack, Switch, Text } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { messagesPerMinuteMax } from '../../../../src/contract/destinations/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import type { DestinationDraft } from '../draft/draft.ts';
import { TimingInputs } from './email/timing-inputs.tsx';
import { PropertyInputs } from './hubspot/property-inputs.tsx';
import type { Kind } from './kind-words.ts';
import { FormatInputs } from './webhook/format-inputs.tsx';

/** What the part is called that says what is sent of a lead. */
export const contentTitles: Readonly<Record<Kind, string>> = {
  webhook: 'Format',
  email: 'Message',
  chat: 'Message',
  hubspot: 'Properties',
};

interface ContentInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
  /** Null for a new one. */
  readonly destinationId: string | null;
}

export function ContentInputs(props: ContentInputsProps) {
  const { form } = props;
  switch (form.values.kind) {
    case 'webhook':
      return <FormatInputs {...props} />;
    case 'email':
      return (
        <Stack gap="lg" maw={720}>
          <TimingInputs form={form} />
          <LinkOnly form={form} />
        </Stack>
      );
    case 'chat':
      return (
        <Stack gap="lg" maw={720}>
          <Text size="sm" c="dimmed">
            A message for each lead. Above {messagesPerMinuteMax} leads a minute, the others are collected for
            one message.
          </Text>
          <LinkOnly form={form} />
        </Stack>
      );
    case 'hubspot':
      return <PropertyInputs {...props} />;
  }
}

function LinkOnly({ form }: Pick<ContentInputsProps, 'form'>) {
  return (
    <Switch
      label="Link only"
      description="Sends nothing that the person entered, only the name of the form and a link to the lead. Readers need an account to open it. For teams that may not send personal data this way."
      {...form.getInputProps('link_only', { type: 'checkbox' })}
    />
  );
}
