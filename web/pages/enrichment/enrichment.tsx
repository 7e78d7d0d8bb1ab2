import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnrichmentSettings } from '../../../src/contract/enrichment.ts';
import { enrichmentQuery } from '../../api/queries.ts';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { Icon } from '../../parts/icons.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { BudgetCard } from './budget-card.tsx';
import { ProviderForm } from './provider-form.tsx';

export function EnrichmentPage() {
  const workspaceId = useWorkspaceId();
  const query = useQuery(enrichmentQuery(workspaceId));
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title="Enrichment"
        text="Data added to clean leads, and your own provider of company data."
      />
      <Loaded query={query}>
        {({ network, provider }) => (
          <Stack gap="lg">
            <Reach network={network} />
            {provider !== null && <BudgetCard provider={provider} />}
            <ProviderForm
              // A changed provider resets the form; today's numbers do not.
              key={provider?.updated_at ?? 'new'}
              workspaceId={workspaceId}
              provider={provider}
              onSecret={setSecret}
            />
          </Stack>
        )}
      </Loaded>
      <ShownOnce
        opened={secret !== null}
        title="Signing secret"
        name="signing secret"
        value={secret ?? ''}
        onClose={() => setSecret(null)}
      >
        Your provider uses it to check that a request comes from this service.
      </ShownOnce>
    </>
  );
}

const reaches: Record<EnrichmentSettings['network'], string> = {
  off: 'Leads are enriched only from their own content. The operator has turned off lookups (ENRICH_NETWORK=off), so a provider is saved but not used.',
  dns: 'Leads are enriched from their own content and the DNS records of their mail domain. The operator allows no other lookups (ENRICH_NETWORK=dns), so a provider is saved but not used.',
  full: "Leads are enriched from their own content, the DNS records of their mail domain, the company's home page and your provider, in this order.",
};

function Reach({ network }: Pick<EnrichmentSettings, 'network'>) {
  return (
    <Alert color={network === 'full' ? 'gray' : 'yellow'} icon={<Icon name="search" />} p="sm">
      <Text size="sm">{reaches[network]}</Text>
    </Alert>
  );
}
