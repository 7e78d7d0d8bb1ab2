import type { ListedLeadRecord } from '../../db/leads/lead-rows.ts';
import type { FoundLeads, LeadStretch } from '../../db/leads/leads.ts';

/** Full after this many leads, or with the lead that passes this many bytes. */
export class PageOfLeads<Row extends ListedLeadRecord> {
  readonly #leads: Row[] = [];
  readonly #limit: number;
  readonly #find: (stretch: LeadStretch) => Promise<FoundLeads<Row>>;
  #bytesLeft: number;
  #isCut = false;

  constructor(limit: number, bytesMax: number, find: (stretch: LeadStretch) => Promise<FoundLeads<Row>>) {
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
  async fill(whole: Omit<LeadStretch, 'limit' | 'bytesMax'>): Promise<LeadStretch> {
    for (let after = whole.after; ; ) {
      const limit = this.#limit - this.#leads.length;
      const stretch = { ...whole, after, limit, bytesMax: this.#bytesLeft };
      const { leads, isCut } = await this.#find(stretch);
      this.#leads.push(...leads);
      this.#bytesLeft -= leads.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
      this.#isCut = isCut;
      const last = leads.at(-1);
      if (!isCut || this.isFull || last === undefined) return stretch;
      after = { at: last.receivedAt, id: last.submissionId, value: last.sortValue };
    }
  }

  found(): { readonly leads: Row[]; readonly isCut: boolean } {
    return { leads: this.#leads, isCut: this.#isCut };
  }
}
