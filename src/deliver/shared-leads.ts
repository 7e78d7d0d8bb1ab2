import { isDeepStrictEqual } from 'node:util';
import type { LeadFacts } from '../domain/destination/lead-facts.ts';

const leadsMax = 500;
const bytesMax = 8 * 1024;

/**
 * Destinations of a workspace get the same leads, and each line reads them for itself. A lead that is the same as before
 * becomes the same object, so that what was made from it is used again. One that has changed does not.
 */
export class SharedLeads {
  /** In the order in which they were first read. */
  readonly #byId = new Map<string, LeadFacts>();

  of(lead: LeadFacts): LeadFacts {
    const { submissionId, fields, enrichment, reasons } = lead;
    const known = this.#byId.get(submissionId);
    if (known !== undefined && isDeepStrictEqual(known, lead)) return known;
    if (fields.length + (enrichment?.length ?? 0) + reasons.length > bytesMax) return lead;
    this.#byId.delete(submissionId);
    this.#byId.set(submissionId, lead);
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= leadsMax) break;
      this.#byId.delete(oldest);
    }
    return lead;
  }
}
