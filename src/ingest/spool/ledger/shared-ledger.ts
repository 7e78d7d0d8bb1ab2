import type { Logger } from 'pino';
import type { Clock } from '../../../time/clock.ts';
import type { HostLink } from '../../siblings/link.ts';
import type { HeldLead, Stock, StockItem } from '../stock.ts';
import type { Claim, Decision, Found, Ledger, NotFound } from './ledger.ts';
import { type Decided, type LedgerEntry, type LedgerState, ledgerTopics } from './messages.ts';

export interface SharedLedgerDeps {
  readonly link: HostLink;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stock: Stock<HeldLead>;
  /** Decides while the supervisor does not. */
  readonly own: Ledger;
  /** Another worker has stopped and left leads in its folder. */
  readonly onOrphans: () => void;
}

interface Question {
  readonly decide: (decision: Decision | NotFound) => void;
  readonly decideAlone: () => void;
}

const answerMsMax = 1_000;
/** How long a duplicate waits for its original to be on disk in another worker's spool. */
const originalMsMax = 5_000;

/**
 * The worker's side: asks the ledger in the supervisor, and tells it everything that changes this worker's stock, in one
 * message per turn of the event loop.
 *
 *   sharing → alone    when the supervisor does not answer within a second, or is gone. Everything undecided, and every
 *                      lead after it, is decided as a process by itself would: ids are derived, so the drain still
 *                      makes one lead of two copies, but each worker has the whole limits for itself
 *   alone   → sharing  when every answer has come after all. The ledger gets a copy of this worker's stock, because the
 *                      two may have decided differently. A supervisor that is gone never answers
 *
 * A question is decided exactly once. Answers that come too late are ignored.
 */
export class SharedLedger implements Ledger {
  readonly #deps: SharedLedgerDeps;
  readonly #questions = new Map<number, Question>();
  #entries: LedgerEntry[] = [];
  #state: LedgerState = { hasLeads: false, hasSpace: true };
  #isAlone = false;
  #asks = 0;
  #tickets = 0;
  #onIdle: (() => void)[] = [];

  constructor(deps: SharedLedgerDeps) {
    this.#deps = deps;
    const { link } = deps;
    link.onTell(ledgerTopics.decided, (content) => this.#decideAll(content as Decided[]));
    link.onTell(ledgerTopics.state, (content) => {
      this.#state = content as LedgerState;
    });
    link.onTell(ledgerTopics.orphans, deps.onOrphans);
    link.tell(ledgerTopics.hello, null);
  }

  get mayFind(): boolean {
    return this.#state.hasLeads && !this.#isAlone;
  }

  get hasSpace(): boolean {
    return this.#deps.own.hasSpace && (this.#state.hasSpace || this.#isAlone);
  }

  claim(claim: Claim, decide: (decision: Decision) => void): void {
    const decideAlone = () => this.#deps.own.claim(claim, decide);
    this.#ask({ decide: decide as Question['decide'], decideAlone }, (ticket) => ({
      kind: 'claim',
      ticket,
      claim,
    }));
  }

  look(names: readonly string[], tell: (found: Found | NotFound) => void): void {
    const decideAlone = () => tell({ kind: 'none' });
    this.#ask({ decide: tell as Question['decide'], decideAlone }, (ticket) => ({
      kind: 'look',
      ticket,
      names,
    }));
  }

  /** Only leads with names have duplicates that may wait for this. */
  kept(claim: Claim): void {
    if (claim.item.names.length > 0) this.#enter({ kind: 'kept', claim });
  }

  failed(claim: Claim): void {
    if (this.#isAlone) this.#deps.own.failed(claim);
    else this.#enter({ kind: 'failed', claim });
  }

  found(claim: Claim): void {
    this.#enter({ kind: 'found', claim });
  }

  drained(item: StockItem, submissionId: string): void {
    this.#enter({ kind: 'drained', item, submissionId });
  }

  async idle(): Promise<void> {
    while (this.#questions.size > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #ask(question: Question, entryOf: (ticket: number) => LedgerEntry): void {
    if (this.#isAlone) {
      question.decideAlone();
      return;
    }
    const ticket = this.#tickets++;
    this.#questions.set(ticket, question);
    this.#enter(entryOf(ticket));
  }

  #enter(entry: LedgerEntry): void {
    // The copy of the stock that ends this state contains it.
    if (this.#isAlone) return;
    if (this.#entries.push(entry) === 1) void this.#deps.clock.turn().then(() => this.#send());
  }

  #send(): void {
    const entries = this.#entries.splice(0);
    if (entries.length === 0) return;
    const tickets = entries.flatMap((entry) => ('ticket' in entry ? [entry.ticket] : []));
    try {
      if (tickets.length > 0) void this.#sendQuestions(entries, tickets);
      else this.#deps.link.tell(ledgerTopics.entries, entries);
    } catch (error) {
      this.#goAlone(error);
    }
  }

  async #sendQuestions(entries: readonly LedgerEntry[], tickets: readonly number[]): Promise<void> {
    const { link, clock } = this.#deps;
    this.#asks++;
    let isAnswered = false;
    const cancel = clock.deadline(answerMsMax, async () => {
      // If this process was too busy for a second, the answer is there but not read yet.
      await clock.turn();
      if (!isAnswered) this.#goAlone(new Error('no answer within a second'));
    });
    try {
      const answer = (await link.ask(ledgerTopics.entries, entries)) as Decided[];
      isAnswered = true;
      this.#asks--;
      if (this.#isAlone) this.#shareAgain();
      else this.#decideAll(answer);
      for (const ticket of tickets) if (this.#questions.has(ticket)) this.#awaitOriginal(ticket);
    } catch (error) {
      this.#goAlone(error);
    } finally {
      cancel();
    }
  }

  #awaitOriginal(ticket: number): void {
    this.#deps.clock.deadline(originalMsMax, () => this.#decideAll([[ticket, { kind: 'original_failed' }]]));
  }

  #decideAll(decisions: readonly Decided[]): void {
    for (const [ticket, decision] of decisions) this.#finish(ticket, (question) => question.decide(decision));
  }

  #goAlone(error: unknown): void {
    if (this.#isAlone) return;
    this.#isAlone = true;
    this.#entries = [];
    this.#deps.log.warn(
      { err: error },
      'no answer from the supervisor; this worker counts spooled leads alone',
    );
    for (const ticket of [...this.#questions.keys()])
      this.#finish(ticket, (question) => question.decideAlone());
  }

  #shareAgain(): void {
    if (this.#asks > 0) return;
    this.#isAlone = false;
    this.#enter({ kind: 'replace', stock: this.#deps.stock.copy() });
    this.#deps.log.info('the supervisor answers again; spooled leads are counted for the whole host');
  }

  /** An error while one sender is answered must not affect the others. */
  #finish(ticket: number, act: (question: Question) => void): void {
    const question = this.#questions.get(ticket);
    if (question === undefined) return;
    this.#questions.delete(ticket);
    try {
      act(question);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'response not sent');
    }
    if (this.#questions.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
