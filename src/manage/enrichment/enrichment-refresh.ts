import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { noteLead } from '../../db/relay/outbox.ts';
import { providerVersions } from '../../domain/enrichment/provider-versions.ts';
import { type NetworkMode, phasesAllowed } from '../../domain/enrichment/vocabulary.ts';
import type { ManagementDeps } from '../deps.ts';

/**
 * Enriches a lead again when someone opens it, if a provider has improved since. Enriching all leads after an upgrade would
 * be wasted on leads that nobody opens. The reader does not wait for it.
 */
export function refreshOutdated(
  { pool, log, enrichNetwork }: ManagementDeps,
  workspaceId: string,
  lead: LeadRecord,
): void {
  if (lead.verdict !== 'clean' || !isOutdated(lead, enrichNetwork)) return;
  noteLead(pool, workspaceId, lead.submissionId, { type: 'enrich' }).catch((error) =>
    log.warn({ err: error, submission_id: lead.submissionId }, 'lead not queued for enrichment'),
  );
}

function isOutdated({ enrichment }: LeadRecord, network: NetworkMode): boolean {
  const current = new Map<string, number>(Object.entries(providerVersions));
  return (enrichment?.providers ?? []).some(
    ({ id, phase, version }) =>
      version !== null && version < (current.get(id) ?? 0) && phasesAllowed[network].includes(phase),
  );
}
