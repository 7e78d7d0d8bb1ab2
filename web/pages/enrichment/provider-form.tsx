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
  /** Called with a signing secret that was made just now. */
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
      toastDone('The provider is saved.');
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
              It is not asked any more, and its secrets are deleted. What it has said about leads stays with
              them.
            </RemoveButton>
          )}
          <Tag tone={provider === null ? 'quiet' : 'good'}>{provider === null ? 'Not set' : 'Set'}</Tag>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        A service of yours, or one you pay for, that answers questions about companies with JSON.
      </Text>
      <SubmitForm form={form} gap="md" maw={640}>
        <TextInput
          label="Address"
          description="Gets a signed POST for each company."
          placeholder="https://api.example.com/companies"
          {...form.getInputProps('url')}
        />
        <Radio.Group label="What it is told" {...form.getInputProps('send')}>
          <Stack gap="xs" mt="xs">
            <Radio value="domain" label="Only the domain of the company" />
            <Radio value="email" label="Also the e-mail address of the person" />
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label="Header with your key"
            placeholder="Authorization"
            {...form.getInputProps('header_name')}
          />
          <PasswordInput
            label="Its value"
            placeholder={provider?.header_value_set ? 'Set; leave empty to keep it' : 'Bearer …'}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
            {...form.getInputProps('header_value')}
          />
        </SimpleGrid>
        <NumberInput
          label="Questions per day"
          description="At most so many, over the whole workspace; a day begins at midnight in UTC."
          maw={260}
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
            {provider === null ? 'Set up' : 'Save'}
          </Button>
        </Group>
      </SubmitForm>
    </Box>
  );
}
