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
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dailyLimitDefault, dailyLimitMax } from '../../../src/contract/enrichment/terms.ts';
import type { EnrichmentProvider } from '../../../src/contract/enrichment.ts';
import { api } from '../../api/client.ts';
import { enrichmentQuery } from '../../api/queries.ts';
import { RemoveButton } from '../../parts/dialogs/remove-button.tsx';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { Tag } from '../../parts/tag.tsx';
import { toastDone } from '../../parts/toast.ts';
import { type MappingDraft, MappingRows, mappingOf } from './mapping-rows.tsx';

interface ProviderFormProps {
  readonly workspaceId: string;
  readonly provider: EnrichmentProvider | null;
  /** Called with a signing secret that was made just now. */
  onSecret(secret: string): void;
}

function draftOf(provider: EnrichmentProvider | null) {
  const mapping: MappingDraft = Object.entries(provider?.mapping ?? { 'company.name': '' });
  return {
    url: provider?.url ?? '',
    send: provider?.send ?? ('domain' as const),
    headerName: provider?.header_name ?? '',
    headerValue: '',
    dailyLimit: provider?.daily_limit ?? dailyLimitDefault,
    mapping,
  };
}

export function ProviderForm({ workspaceId, provider, onSecret }: ProviderFormProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const change = (values: Partial<typeof draft>) => setDraft({ ...draft, ...values });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(provider));
  useUnsavedGuard(isDirty);
  const save = useMutation({
    mutationFn: () =>
      api('PUT', '/workspaces/:workspace_id/enrichment-provider', {
        params: { workspace_id: workspaceId },
        body: {
          url: draft.url.trim(),
          send: draft.send,
          header_name: draft.headerName === '' ? null : draft.headerName,
          ...(draft.headerValue === '' ? {} : { header_value: draft.headerValue }),
          mapping: mappingOf(draft.mapping),
          daily_limit: draft.dailyLimit,
        },
      }),
    async onSuccess({ signing_secret }) {
      toastDone('The provider is saved.');
      if (signing_secret !== undefined) onSecret(signing_secret);
      await queryClient.invalidateQueries({ queryKey: enrichmentQuery(workspaceId).queryKey });
    },
  });
  const { error } = save;
  const shown = ['url', 'header_name', 'header_value', 'daily_limit', 'mapping'];
  const mappingFaults = draft.mapping.map(([path]) => `mapping.${path}`);
  const problem = remainingProblem(error, [...shown, ...mappingFaults]);
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
      <Stack
        component="form"
        gap="md"
        maw={640}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextInput
          label="Address"
          description="Gets a signed POST for each company."
          placeholder="https://api.example.com/companies"
          value={draft.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
          error={faultOf(error, 'url')}
        />
        <Radio.Group
          label="What it is told"
          value={draft.send}
          onChange={(send) => change({ send: send as 'domain' | 'email' })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="domain" label="Only the domain of the company" />
            <Radio value="email" label="Also the e-mail address of the person" />
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label="Header with your key"
            placeholder="Authorization"
            value={draft.headerName}
            onChange={(event) => change({ headerName: event.currentTarget.value })}
            error={faultOf(error, 'header_name')}
          />
          <PasswordInput
            label="Its value"
            placeholder={provider?.header_value_set ? 'Set; leave empty to keep it' : 'Bearer …'}
            autoComplete="off"
            value={draft.headerValue}
            onChange={(event) => change({ headerValue: event.currentTarget.value })}
            error={faultOf(error, 'header_value')}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
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
          value={draft.dailyLimit}
          onChange={(value) => change({ dailyLimit: Number(value) })}
          error={faultOf(error, 'daily_limit')}
        />
        <MappingRows mapping={draft.mapping} error={error} onChange={(mapping) => change({ mapping })} />
        {problem !== undefined && (
          <Text size="sm" c="var(--rejected-text)" role="alert">
            {problem}
          </Text>
        )}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!isDirty}>
            {provider === null ? 'Set up' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}
