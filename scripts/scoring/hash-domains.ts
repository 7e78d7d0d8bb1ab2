import { domainHash } from '../../src/domain/score/models/abuse-domains.ts';
import { freeDomains, relayDomains } from '../../src/domain/score/tables/mail-domains.ts';
import type { TuningData } from './tuning-data.ts';

/** On public lists because people make up addresses with them, but real. */
const realDomains = ['test.de', 'test.com'];

/**
 * The hashes of the domains on public lists, sorted. Leaves out what is known to be legitimate, and what has the hash of
 * something legitimate.
 */
export function hashDomains({ listedDomains, legitimateDomains, moreDomains }: TuningData): Uint32Array {
  const legitimate = new Set(
    [...realDomains, ...freeDomains, ...relayDomains, ...legitimateDomains, ...moreDomains].map(domainHash),
  );
  const hashes = new Set(listedDomains.map(domainHash)).difference(legitimate);
  return Uint32Array.from(hashes).sort();
}
