import type { StockCopy, StockItem } from '../stock.ts';
import type { Claim, Decision, NotFound } from './ledger.ts';

/** Topics between the spools of the workers and the ledger in the supervisor. */
export const ledgerTopics = {
  /** From a worker that is ready to hear the state. */
  hello: 'spool-hello',
  /** From a worker: its entries of one turn of the event loop, in order. An ask if one of them is a question. */
  entries: 'spool-entries',
  /** To a worker: decisions that came after the answer to its ask. */
  decided: 'spool-decided',
  /** To one worker: another has stopped and left leads in its folder. */
  orphans: 'spool-orphans',
  /** To a worker: the state of the ledger, after its hello and on every change. */
  state: 'spool-state',
} as const;

/** An entry with a ticket is a question. */
export type LedgerEntry =
  | { readonly kind: 'claim'; readonly ticket: number; readonly claim: Claim }
  | { readonly kind: 'look'; readonly ticket: number; readonly names: readonly string[] }
  | { readonly kind: 'kept' | 'failed' | 'found'; readonly claim: Claim }
  | { readonly kind: 'drained'; readonly item: StockItem; readonly submissionId: string }
  | { readonly kind: 'replace'; readonly stock: StockCopy };

/** The answer to an ask is a list of these. A ticket that is not in it waits until an original is on disk. */
export type Decided = readonly [ticket: number, decision: Decision | NotFound];

export interface LedgerState {
  readonly hasLeads: boolean;
  readonly hasSpace: boolean;
}
