import { parse } from 'tldts';
import { type Part, partOf } from './tuning-data.ts';

/** The registrable part of a domain, as the scorer splits it. */
export interface DomainParts {
  readonly label: string;
  readonly suffix: string;
}

export function domainParts(domain: string): DomainParts | null {
  const { domain: registrable, publicSuffix, isIp } = parse(domain, { allowPrivateDomains: true });
  if (!registrable || !publicSuffix || isIp) return null;
  return { label: registrable.slice(0, -publicSuffix.length - 1), suffix: publicSuffix };
}

/** Each registrable domain once. */
export function registrableDomains(domains: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const domain of domains) {
    const parts = domainParts(domain.toLowerCase());
    if (parts !== null) found.add(`${parts.label}.${parts.suffix}`);
  }
  return found;
}

const stemLetters = 6;
const stemLettersMin = 4;

/**
 * Operators register dozens of similar names. Names with the same beginning are in the same part, so that the parts have
 * no near duplicates.
 */
export function partOfDomain(registrable: string): Part {
  const label = registrable.slice(0, registrable.indexOf('.'));
  const stem = label.replace(/[^a-z]/g, '').slice(0, stemLetters);
  return partOf(`stem:${stem.length < stemLettersMin ? label : stem}`);
}
