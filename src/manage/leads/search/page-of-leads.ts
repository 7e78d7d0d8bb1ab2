import type { Position } from '../../../db/keyset.ts';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import type { ListedLeadRecord } from '../../../db/leads/lead-rows.ts';
import type { FoundLeads, LeadStretch } from '../../../db/leads/leads.ts';

type Find<Row extends ListedLeadRecord> = (
  filter: LeadFilter,
  stretch: LeadStretch,
) => Promise<FoundLeads<Row>>;

/** Full after this many leads, or with the lead that passes this many bytes. */
export class PageOfLeads<Row extends ListedLeadRecord> {
  readonly #leads: Row[] = [];
  readonly #limit: number;
  readonly #find: Find<Row>;
  #bytesLeft: number;
  #isCut = false;

  constructor(limit: number, bytesMax: number, find: Find<Row>) {
    this.#limit = limit;
    this.#bytesLeft = bytesMax;
    this.#find = find;
  }

  get isFull(): boolean {
    return this.#leads.length >= this.#limit || this.#bytesLeft <= 0;
  }

  /**
   * Collects the matches in a stretch until the page is full, and returns the part that was read last. One query returns
   * only as many leads as are expected to fit, so it can take several.
   */
  async fill(filter: LeadFilter, whole: Omit<LeadStretch, 'limit' | 'bytesMax'>): Promise<LeadStretch> {
    for (let after: Position | null = whole.after; ; ) {
      const limit = this.#limit - this.#leads.length;
      const stretch: LeadStretch = { ...whole, after, limit, bytesMax: this.#bytesLeft };
      const { leads, isCut } = await this.#find(filter, stretch);
      this.#leads.push(...leads);
      this.#bytesLeft -= leads.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
      this.#isCut = isCut;
      const last = leads.at(-1);
      if (!isCut || this.isFull || last === undefined) return stretch;
      after = { at: last.receivedAt, id: last.submissionId };
    }
  }

  found(): { readonly leads: Row[]; readonly isCut: boolean; readonly bytesLeft: number } {
    return { leads: this.#leads, isCut: this.#isCut, bytesLeft: this.#bytesLeft };
  }
}
