import { Box, Stack, Text, Title } from '@mantine/core';
import { skipTexts } from '../../../../src/contract/enrichment/terms.ts';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { TimeAgo } from '../../../parts/time.tsx';

type Facts = Readonly<Record<string, unknown>>;
const ownMembers = new Set(['enriched_at', 'provenance', 'providers', 'schema', 'status']);

/** Data beyond what the sender wrote, each value with its source. */
export function LeadEnrichment({ lead }: { lead: Lead }) {
  if (lead.enrichment === null) {
    const text =
      lead.verdict === 'clean'
        ? 'Enrichment runs in the background and has not reached this lead yet.'
        : 'Only clean leads are enriched.';
    return (
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    );
  }
  const { provenance, ...rest } = lead.enrichment as Facts & { provenance?: Facts };
  const facts = Object.entries(rest)
    .filter(([name]) => !ownMembers.has(name))
    .flatMap(([name, value]) => flat(name, value));
  return (
    <Stack gap="md">
      <Text size="xs" c="dimmed" component="div">
        Enriched <TimeAgo time={lead.enrichment.enriched_at} size="xs" />
      </Text>
      {facts.length === 0 && (
        <Text size="sm" c="dimmed">
          No additional data found.
        </Text>
      )}
      <Box component="dl" m={0}>
        {facts.map(([path, value]) => (
          <Box key={path} py={8} className="field">
            <Text component="dt" size="xs" c="dimmed">
              {path.replaceAll('.', ' › ').replaceAll('_', ' ')}
            </Text>
            <Box component="dd" m={0}>
              <Text size="sm" className="wrap" dir="auto">
                {value}
              </Text>
              <Origin provenance={provenance?.[path]} />
            </Box>
          </Box>
        ))}
      </Box>
      <Providers providers={lead.enrichment.providers} />
    </Stack>
  );
}

function flat(path: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  if (Array.isArray(value)) return value.length === 0 ? [] : [[path, value.map(plain).join(', ')]];
  return Object.entries(value).flatMap(([name, inner]) => flat(`${path}.${name}`, inner));
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Origin({ provenance }: { provenance: unknown }) {
  if (typeof provenance !== 'object' || provenance === null) return null;
  const { provider, method, confidence, alternatives } = provenance as Facts;
  const parts = [
    provider,
    method,
    typeof confidence === 'number' ? `${Math.round(confidence * 100)}% confidence` : null,
  ];
  const others = Array.isArray(alternatives) ? (alternatives as Facts[]) : [];
  return (
    <>
      <Text size="xs" c="dimmed">
        {parts.filter((part) => part !== null && part !== undefined).join(' · ')}
      </Text>
      {others.length > 0 && (
        <Text size="xs" c="dimmed" className="wrap">
          Other values:{' '}
          {others.map((other) => `${plain(other.value)} (${String(other.provider)})`).join(', ')}
        </Text>
      )}
    </>
  );
}

function ProviderLine({ provider: { id, outcome, why, ms, cached } }: { provider: Facts }) {
  const time = cached === true ? 'cached from an earlier lead' : typeof ms === 'number' ? `${ms} ms` : null;
  const reason = why === undefined ? null : (skipTexts[String(why)] ?? String(why));
  const details = [reason, outcome === 'skip' ? null : time].filter((part) => part !== null);
  return (
    <Text size="xs" c="dimmed" className="wrap">
      {String(id)}: {String(outcome)}
      {details.length === 0 ? '' : ` (${details.join(', ')})`}
    </Text>
  );
}

function Providers({ providers }: { providers: unknown }) {
  if (!Array.isArray(providers) || providers.length === 0) return null;
  return (
    <Box>
      <Title order={3} size="h6" mb={4}>
        Providers
      </Title>
      {(providers as Facts[]).map((provider) => (
        <ProviderLine key={String(provider.id)} provider={provider} />
      ))}
    </Box>
  );
}
