import { noteForEnrichment } from '../../db/enrichment/enrichment-outbox.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { providerVersions } from '../../domain/enrichment/provider-versions.ts';
import { type NetworkMode, phasesAllowed } from '../../domain/enrichment/vocabulary.ts';
import type { ManagementDeps } from '../deps.ts';

/**
 * Has a lead that somebody looks at enriched anew when a provider can do more by now. Not all leads at once after an
 * upgrade: hardly any of them is ever opened again. Whoever reads the lead does not wait for it, and gets it in any case.
 */
export function refreshOutdated(
  { pool, log, enrichNetwork }: ManagementDeps,
  workspaceId: string,
  lead: LeadRecord,
): void {
  if (lead.verdict !== 'clean' || !isOutdated(lead, enrichNetwork)) return;
  noteForEnrichment(pool, workspaceId, lead.submissionId).catch((error) =>
    log.warn({ err: error, submission_id: lead.submissionId }, 'a lead could not be noted for enrichment'),
  );
}

function isOutdated({ enrichment }: LeadRecord, network: NetworkMode): boolean {
  const current = new Map<string, number>(Object.entries(providerVersions));
  return (enrichment?.providers ?? []).some(
    ({ id, phase, version }) =>
      version !== null && version < (current.get(id) ?? 0) && phasesAllowed[network].includes(phase),
  );
}
