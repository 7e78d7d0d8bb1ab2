import type { RateLimits } from '../../../domain/rate-window.ts';
import type { Surface } from '../../../domain/surface.ts';
import type { Clock } from '../../../time/clock.ts';
import { type LeadMarks, marksOf } from '../../commit/duplicates/duplicate-names.ts';
import type { EnteredLead } from '../entry.ts';
import { LocalRates, type RateLimitReason } from '../local-rates.ts';
import {
  type HeldLead,
  hasSpaceFor,
  hasSpaceForAny,
  type Stock,
  type StockItem,
  stockItem,
} from '../stock.ts';

/** A lead that a process wants to write to its spool. Plain values only, because it may go to another process. */
export interface Claim {
  readonly item: StockItem;
  readonly marks: LeadMarks;
  readonly surface: Surface;
  /** True when the lead has a new id because the last use of its key has expired. */
  readonly isRenewed: boolean;
}

export function claimOf(lead: EnteredLead, bytes: number, isRenewed: boolean): Claim {
  return { item: stockItem(lead, bytes), marks: marksOf(lead), surface: lead.surface, isRenewed };
}

export type Decision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'rate_limited'; readonly reason: RateLimitReason }
  | { readonly kind: 'no_space' }
  | Found
  /** The last use of the key has expired: the lead needs a new id and another claim. */
  | { readonly kind: 'expired' };

/** What is known of the original of a duplicate that another process of the host holds. */
export type Found =
  /** The original is on disk. */
  | { readonly kind: 'duplicate'; readonly original: LeadMarks }
  /** The original could not be written, or its process has stopped before it was. */
  | { readonly kind: 'original_failed' };

export interface NotFound {
  readonly kind: 'none';
}

/**
 * Decides which leads may be spooled, for all processes that share it, and hears what became of them. A process by itself
 * decides immediately, before `claim` returns.
 */
export interface Ledger {
  /** True when other processes may hold leads, so that `look` is worth the time. */
  readonly mayFind: boolean;
  /** False when there is no space for the largest lead. */
  readonly hasSpace: boolean;
  claim(claim: Claim, decide: (decision: Decision) => void): void;
  /** Looks for a lead with one of these names. */
  look(names: readonly string[], tell: (found: Found | NotFound) => void): void;
  kept(claim: Claim): void;
  failed(claim: Claim): void;
  /** The lead was in a folder that this process has adopted. */
  found(claim: Claim): void;
  drained(item: StockItem, submissionId: string): void;
  /** Resolves when every claim is decided. */
  idle(): Promise<void>;
}

export interface OwnLedgerDeps {
  readonly stock: Stock<HeldLead>;
  readonly bytesMax: number;
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'now'>;
}

/** The ledger of a process that shares its spool with no other. It has already looked for the original in its own stock. */
export class OwnLedger implements Ledger {
  readonly mayFind = false;
  readonly #deps: OwnLedgerDeps;
  readonly #rates: LocalRates;

  constructor(deps: OwnLedgerDeps) {
    this.#deps = deps;
    this.#rates = new LocalRates(deps.limits);
  }

  get hasSpace(): boolean {
    return hasSpaceForAny(this.#deps.stock.bytes, this.#deps.bytesMax);
  }

  claim(claim: Claim, decide: (decision: Decision) => void): void {
    decide(this.#decisionOn(claim));
  }

  look(_names: readonly string[], tell: (found: NotFound) => void): void {
    tell({ kind: 'none' });
  }

  failed({ item, surface }: Claim): void {
    this.#rates.giveBack(item.workspace, surface);
  }

  kept(): void {}

  found(): void {}

  drained(): void {}

  async idle(): Promise<void> {}

  #decisionOn({ item, surface }: Claim): Decision {
    const reason = this.#rates.take(item.workspace, surface, this.#deps.clock.now());
    if (reason !== null) return { kind: 'rate_limited', reason };
    if (this.#fits(item)) return { kind: 'keep' };
    this.#rates.giveBack(item.workspace, surface);
    return { kind: 'no_space' };
  }

  #fits({ workspace, bytes }: StockItem): boolean {
    const { stock, bytesMax } = this.#deps;
    return hasSpaceFor(bytes, { total: stock.bytes, ofWorkspace: stock.bytesOf(workspace) }, bytesMax);
  }
}
