import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { identityRank } from './identity.ts';

type WithFields = Pick<LeadListed, 'fields'>;

/**
 * The keys of the loaded leads that have a flat value in one of them: names and addresses first, then what most leads have, so that one odd lead with dozens of
 * keys does not push them aside. A key keeps its place while more leads are loaded, because a column that jumps is worse
 * than one in the second best place.
 */
export class KeyOrder {
  #scope: string | undefined;
  #keys: string[] = [];

  of(scope: string | undefined, leads: readonly WithFields[]): readonly string[] {
    if (scope !== this.#scope) this.#keys = [];
    this.#scope = scope;
    const counts = countKeys(leads);
    const known = new Set(this.#keys.filter((key) => counts.has(key)));
    const added = [...counts.keys()].filter((key) => !known.has(key));
    const sorted = added.toSorted(
      (a, b) => identityRank(a) - identityRank(b) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
    );
    this.#keys = [...known, ...sorted];
    return this.#keys;
  }
}

function countKeys(leads: readonly WithFields[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fields } of leads)
    for (const [key, value] of Object.entries(fields))
      if (!isNested(value)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** An object or a list, which a lead has but no column shows. */
export function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
