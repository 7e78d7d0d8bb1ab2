import { ActionIcon, Alert, Box, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ownHeadersMax } from '../../../../../src/contract/destinations/terms.ts';
import { Icon } from '../../../../parts/icons.tsx';
import type { DestinationDraft, HeaderRow } from '../../draft/draft.ts';
import type { OfKind } from '../kind-words.ts';

interface WebhookInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  /** Null for a new one. */
  readonly stored: OfKind<'webhook'> | null;
}

export function WebhookInputs({ form, stored }: WebhookInputsProps) {
  return (
    <>
      <TextInput
        label="URL"
        description="Receives a signed POST request for each lead. It must be https, unless the operator has allowed the host."
        placeholder="https://hooks.example.com/leads"
        inputMode="url"
        {...form.getInputProps('url')}
        value={form.values.url ?? ''}
      />
      <Headers form={form} stored={stored} />
      {stored === null && (
        <PasswordInput
          label="Your own signing secret"
          description="Leave empty to generate a strong one (recommended)."
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show signing secret' }}
          {...form.getInputProps('secret')}
        />
      )}
    </>
  );
}

function Headers({ form, stored }: WebhookInputsProps) {
  const { headers, url } = form.values;
  const names = stored?.headers ?? [];
  const isOtherHost = stored !== null && hostOf(url ?? '') !== hostOf(stored.url);
  return (
    <Box role="group" aria-labelledby="headers-label">
      <Text size="sm" fw={600} id="headers-label">
        Headers
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        For a receiver that wants a key. Values are encrypted and never shown again.
      </Text>
      {headers === null ? (
        <Stack gap="xs" align="flex-start">
          <Text size="sm" className="wrap">
            {names.length === 0 ? 'No headers.' : names.join(', ')}
          </Text>
          {isOtherHost && names.length > 0 && (
            <Alert color="yellow" p="xs">
              Another host does not get these headers: they are removed unless you enter them again.
            </Alert>
          )}
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              form.setFieldValue(
                'headers',
                names.length === 0 ? [emptyHeader] : names.map((name) => ({ name, value: '' })),
              )
            }
          >
            {names.length === 0 ? 'Add headers' : 'Replace headers'}
          </Button>
        </Stack>
      ) : (
        <HeaderRows form={form} headers={headers} />
      )}
    </Box>
  );
}

const emptyHeader: HeaderRow = { name: '', value: '' };

/** The URL may be half typed. */
function hostOf(url: string): string {
  return URL.parse(url.trim())?.host ?? '';
}

function HeaderRows({ form, headers }: { form: WebhookInputsProps['form']; headers: readonly HeaderRow[] }) {
  return (
    <Stack gap="xs">
      {headers.map(({ name }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; the name is being edited.
        <Group key={i} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            aria-label={`Name of header ${i + 1}`}
            placeholder="X-Api-Key"
            flex={1}
            {...form.getInputProps(`headers.${i}.name`)}
            // The API names a header, not its row.
            onInput={() => form.clearFieldError(`headers.${name}`)}
            error={form.errors[`headers.${name}`]}
          />
          <PasswordInput
            aria-label={`Value of header ${i + 1}`}
            autoComplete="off"
            flex={1}
            visibilityToggleButtonProps={{ 'aria-label': `Show value of header ${i + 1}` }}
            {...form.getInputProps(`headers.${i}.value`)}
            onInput={() => form.clearFieldError(`headers.${name}`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            onClick={() => form.removeListItem('headers', i)}
            aria-label={`Remove header ${i + 1}`}
          >
            <Icon name="trash" size={15} />
          </ActionIcon>
        </Group>
      ))}
      {form.errors.headers && (
        <Text size="xs" c="var(--rejected-text)" role="alert">
          {form.errors.headers}
        </Text>
      )}
      {headers.length < ownHeadersMax && (
        <Button
          size="xs"
          variant="subtle"
          w="fit-content"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => form.insertListItem('headers', emptyHeader)}
        >
          Add header
        </Button>
      )}
    </Stack>
  );
}
