import type { RateLimits } from '../../../domain/rate-window.ts';
import type { Clock } from '../../../time/clock.ts';
import type { LeadMarks } from '../../commit/duplicates/duplicate-names.ts';
import { LocalRates } from '../local-rates.ts';
import { type Held, hasSpaceFor, hasSpaceForAny, Stock, type StockCopy, type StockItem } from '../stock.ts';
import type { Claim, Decision, Found, NotFound } from './ledger.ts';

export interface HostLedgerDeps {
  readonly bytesMax: number;
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'now'>;
}

type Waiter = (found: Found) => void;

/** A lead with a key or signature, in the spool of one of the workers. */
interface HostLead extends Held {
  /** Duplicates that wait until it is on disk. */
  readonly waiting: Waiter[];
}

/**
 * The spooled leads of all workers of a host: a stock per worker, which equals the worker's own and also counts the leads
 * that the worker may write but has not begun to. The states of a lead:
 *
 *   unknown → claimed  by a claim that is answered `keep`: it counts against the rates and takes its bytes
 *   claimed → on disk  by `kept`: the duplicates that waited get its id
 *   claimed → unknown  by `failed`: rate and bytes are given back; the duplicates that waited get no response
 *   unknown → on disk  by `found`, in a folder that the worker adopted. Limits do not apply: it was accepted before
 *   on disk → unknown  by `drained`: PostgreSQL knows it, and its bytes are given back
 *   any     → unknown  by `leave`, when its worker has stopped: bytes are given back, rates are not. The duplicates that
 *                      waited get no response. The worker that adopts the folder tells again what is in it
 *   any     → any      by `replace`: the worker had to decide alone, and now tells what it has
 *
 * A duplicate is never claimed, so as long as no worker decides alone there is at most one lead per key or signature.
 */
export class HostLedger<Worker> {
  readonly #deps: HostLedgerDeps;
  readonly #rates: LocalRates;
  readonly #stocks = new Map<Worker, Stock<HostLead>>();

  constructor(deps: HostLedgerDeps) {
    this.#deps = deps;
    this.#rates = new LocalRates(deps.limits);
  }

  get leads(): number {
    return this.#sum((stock) => stock.leads);
  }

  get bytes(): number {
    return this.#sum((stock) => stock.bytes);
  }

  get hasSpace(): boolean {
    return hasSpaceForAny(this.bytes, this.#deps.bytesMax);
  }

  join(worker: Worker): void {
    this.#stocks.set(worker, new Stock());
  }

  /** Returns how many leads it had. */
  leave(worker: Worker): number {
    const stock = this.#stockOf(worker);
    this.#stocks.delete(worker);
    for (const lead of stock.allHeld) release(lead, { kind: 'original_failed' });
    return stock.leads;
  }

  /** Decides immediately, unless the lead is a duplicate whose original is not on disk yet. */
  claim(worker: Worker, claim: Claim, decide: (decision: Decision) => void): void {
    const original = this.#living(claim.item.names);
    if (original !== null) whenOnDisk(original, decide);
    else decide(this.#decisionOn(worker, claim));
  }

  look(names: readonly string[], tell: (found: Found | NotFound) => void): void {
    const original = this.#living(names);
    if (original === null) tell({ kind: 'none' });
    else whenOnDisk(original, tell);
  }

  kept(worker: Worker, { item, marks }: Claim): void {
    for (const lead of this.#leadsOf(worker, item, marks.submissionId)) setOnDisk(lead);
  }

  failed(worker: Worker, { item, marks, surface }: Claim): void {
    const leads = this.#leadsOf(worker, item, marks.submissionId);
    this.#stockOf(worker).remove(item, marks.submissionId);
    this.#rates.giveBack(item.workspace, surface);
    for (const lead of leads) release(lead, { kind: 'original_failed' });
  }

  found(worker: Worker, { item, marks }: Claim): void {
    const stock = this.#stockOf(worker);
    // The same lead may be on its way into this worker's own folder. Its copy is on disk, which is as good.
    const before = item.names.map((name) => stock.last(name)).filter((lead) => lead !== null);
    const lead = held(marks, true);
    stock.add(item, lead);
    for (const other of before) release(other, { kind: 'duplicate', original: marks });
  }

  drained(worker: Worker, item: StockItem, submissionId: string): void {
    this.#stockOf(worker).remove(item, submissionId);
  }

  replace(worker: Worker, copy: StockCopy): void {
    const before = this.#stockOf(worker);
    this.#stocks.set(
      worker,
      Stock.of(copy, (lead) => ({ ...lead, waiting: [] })),
    );
    for (const lead of before.allHeld) release(lead, { kind: 'original_failed' });
  }

  #stockOf(worker: Worker): Stock<HostLead> {
    const stock = this.#stocks.get(worker);
    if (stock === undefined) throw new Error('This worker has not joined, or has left.');
    return stock;
  }

  #leadsOf(worker: Worker, { names }: StockItem, submissionId: string): HostLead[] {
    const stock = this.#stockOf(worker);
    const leads = names.map((name) => stock.last(name));
    return leads.filter((lead) => lead?.submissionId === submissionId) as HostLead[];
  }

  #decisionOn(worker: Worker, claim: Claim): Decision {
    const { item, surface, marks } = claim;
    if (!claim.isRenewed && this.#wasKeyUsed(claim)) return { kind: 'expired' };
    const reason = this.#rates.take(item.workspace, surface, this.#deps.clock.now());
    if (reason !== null) return { kind: 'rate_limited', reason };
    if (this.#fits(item)) {
      this.#stockOf(worker).add(item, held(marks, false));
      return { kind: 'keep' };
    }
    this.#rates.giveBack(item.workspace, surface);
    return { kind: 'no_space' };
  }

  #living(names: readonly string[]): HostLead | null {
    const now = this.#deps.clock.now();
    for (const name of names) {
      for (const stock of this.#stocks.values()) {
        const lead = stock.living(name, now);
        if (lead !== null) return lead;
      }
    }
    return null;
  }

  /** Only keys can be used again: a signature is too old by then. */
  #wasKeyUsed({ item, marks }: Claim): boolean {
    const [name] = item.names;
    if (name === undefined || marks.bodyHash === null) return false;
    return [...this.#stocks.values()].some((stock) => stock.last(name) !== null);
  }

  #fits({ workspace, bytes }: StockItem): boolean {
    const ofWorkspace = this.#sum((stock) => stock.bytesOf(workspace));
    return hasSpaceFor(bytes, { total: this.bytes, ofWorkspace }, this.#deps.bytesMax);
  }

  #sum(countOf: (stock: Stock<HostLead>) => number): number {
    let sum = 0;
    for (const stock of this.#stocks.values()) sum += countOf(stock);
    return sum;
  }
}

function held(marks: LeadMarks, isOnDisk: boolean): HostLead {
  return { ...marks, isOnDisk, waiting: [] };
}

function whenOnDisk(original: HostLead, tell: Waiter): void {
  if (original.isOnDisk) tell({ kind: 'duplicate', original: marksOf(original) });
  else original.waiting.push(tell);
}

function setOnDisk(lead: HostLead): void {
  lead.isOnDisk = true;
  release(lead, { kind: 'duplicate', original: marksOf(lead) });
}

function release({ waiting }: HostLead, found: Found): void {
  for (const tell of waiting.splice(0)) tell(found);
}

/** Without what only the ledger needs. */
function marksOf({ submissionId, receivedAt, bodyHash, signedId }: HostLead): LeadMarks {
  return { submissionId, receivedAt, bodyHash, signedId };
}
