import {
  Box,
  Button,
  Group,
  NumberInput,
  PasswordInput,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dailyLimitDefault, dailyLimitMax } from '../../../src/contract/enrichment/terms.ts';
import type { EnrichmentProvider } from '../../../src/contract/enrichment.ts';
import { api } from '../../api/client.ts';
import { enrichmentQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { RemoveButton } from '../../parts/dialogs/remove-button.tsx';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { Tag } from '../../parts/tag.tsx';
import { toastDone } from '../../parts/toast.ts';
import { MappingRows, mappingOf, type ProviderDraft } from './mapping-rows.tsx';

interface ProviderFormProps {
  readonly workspaceId: string;
  readonly provider: EnrichmentProvider | null;
  /** Called with a new signing secret. */
  onSecret(secret: string): void;
}

function draftOf(provider: EnrichmentProvider | null): ProviderDraft {
  const mapping = Object.entries(provider?.mapping ?? { 'company.name': '' });
  return {
    url: provider?.url ?? '',
    send: provider?.send ?? 'domain',
    header_name: provider?.header_name ?? '',
    header_value: '',
    daily_limit: provider?.daily_limit ?? dailyLimitDefault,
    mapping: mapping.map(([path, place]) => ({ path, place })),
  };
}

export function ProviderForm({ workspaceId, provider, onSecret }: ProviderFormProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: draftOf(provider),
    send: ({ url, header_name, header_value, mapping, ...others }) =>
      api('PUT', '/workspaces/:workspace_id/enrichment-provider', {
        params: { workspace_id: workspaceId },
        body: {
          ...others,
          url: url.trim(),
          header_name: header_name || null,
          ...(header_value === '' ? {} : { header_value }),
          mapping: mappingOf(mapping),
        },
      }),
    async onSuccess({ signing_secret }) {
      toastDone('Provider saved.');
      if (signing_secret !== undefined) onSecret(signing_secret);
      await queryClient.invalidateQueries({ queryKey: enrichmentQuery(workspaceId).queryKey });
    },
  });
  const isDirty = form.isDirty();
  useUnsavedGuard(isDirty);
  return (
    <Box className="panel" p="lg">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Your provider
        </Title>
        <Group gap="xs">
          {provider !== null && (
            <RemoveButton
              title="Remove your provider?"
              action="Remove provider"
              remove={() =>
                api('DELETE', '/workspaces/:workspace_id/enrichment-provider', {
                  params: { workspace_id: workspaceId },
                })
              }
              queryKey={enrichmentQuery(workspaceId).queryKey}
            >
              It is no longer used, and its secrets are deleted. Leads keep the data it has provided.
            </RemoveButton>
          )}
          <Tag tone={provider === null ? 'quiet' : 'good'}>{provider === null ? 'Not set' : 'Set'}</Tag>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        Your own service, or one you pay for, that returns company data as JSON.
      </Text>
      <SubmitForm form={form} gap="md" maw={640}>
        <TextInput
          label="URL"
          description="Receives a signed POST request for each company."
          placeholder="https://api.example.com/companies"
          {...form.getInputProps('url')}
        />
        <Radio.Group label="Data to send" {...form.getInputProps('send')}>
          <Stack gap="xs" mt="xs">
            <Radio value="domain" label="Company domain only" />
            <Radio value="email" label="Company domain and the person's email" />
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label="API key header"
            placeholder="Authorization"
            {...form.getInputProps('header_name')}
          />
          <PasswordInput
            label="Header value"
            placeholder={provider?.header_value_set ? 'Saved; leave empty to keep it' : 'Bearer …'}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show header value' }}
            {...form.getInputProps('header_value')}
          />
        </SimpleGrid>
        <NumberInput
          label="Lookups per day"
          description="Daily limit for the workspace. Resets at midnight UTC."
          maw={340}
          min={0}
          max={dailyLimitMax}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          {...form.getInputProps('daily_limit')}
          onChange={(value) => form.setFieldValue('daily_limit', Number(value))}
        />
        <MappingRows form={form} />
        <Group>
          <Button type="submit" loading={form.mutation.isPending} disabled={!isDirty}>
            {provider === null ? 'Add provider' : 'Save'}
          </Button>
        </Group>
      </SubmitForm>
    </Box>
  );
}
