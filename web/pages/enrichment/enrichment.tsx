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
        text="What is found out about clean leads, and the service of yours that is asked about them."
      />
      <Loaded query={query}>
        {({ network, provider }) => (
          <Stack gap="lg">
            <Reach network={network} />
            {provider !== null && <BudgetCard provider={provider} />}
            <ProviderForm
              // Another provider, another form; the figures of the day are not part of it.
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
        title="Signing secret of your provider"
        name="signing secret"
        value={secret ?? ''}
        onClose={() => setSecret(null)}
      >
        Your service verifies with it that a request comes from here.
      </ShownOnce>
    </>
  );
}

const reaches: Record<EnrichmentSettings['network'], string> = {
  off: 'Leads are enriched from what they say themselves. The operator of this service lets it ask nobody else (ENRICH_NETWORK=off), so a provider is kept but not asked.',
  dns: 'Besides the lead itself, the name servers of its mail domain are asked. The operator of this service allows no more (ENRICH_NETWORK=dns), so a provider is kept but not asked.',
  full: 'The name servers of the mail domain, the home page of the company and your provider are asked, in this order.',
};

function Reach({ network }: Pick<EnrichmentSettings, 'network'>) {
  return (
    <Alert color={network === 'full' ? 'gray' : 'yellow'} icon={<Icon name="search" />} p="sm">
      <Text size="sm">{reaches[network]}</Text>
    </Alert>
  );
}
