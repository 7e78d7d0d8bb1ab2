import type { HostLink } from '../../siblings/link.ts';
import { HostLedger, type HostLedgerDeps } from './host-ledger.ts';
import { type Decided, type LedgerEntry, type LedgerState, ledgerTopics } from './messages.ts';

interface Member {
  readonly link: HostLink;
  /** Decisions that were not part of an answer, to be told next. */
  readonly later: Decided[];
}

/** The supervisor's side: one ledger for the spools of all workers. */
export class LedgerService {
  readonly #ledger: HostLedger<Member>;
  readonly #members = new Map<number, Member>();
  #state: LedgerState;

  constructor(deps: HostLedgerDeps) {
    this.#ledger = new HostLedger(deps);
    this.#state = this.#currentState();
  }

  get leads(): number {
    return this.#ledger.leads;
  }

  get bytes(): number {
    return this.#ledger.bytes;
  }

  join(workerId: number, link: HostLink): void {
    const member: Member = { link, later: [] };
    this.#members.set(workerId, member);
    this.#ledger.join(member);
    const take = (content: unknown) =>
      this.#members.get(workerId) === member ? this.#take(member, content as LedgerEntry[]) : [];
    link.onAsk(ledgerTopics.entries, take);
    link.onTell(ledgerTopics.entries, take);
    link.onTell(ledgerTopics.hello, () => link.tell(ledgerTopics.state, this.#state));
  }

  leave(workerId: number): void {
    const member = this.#members.get(workerId);
    if (member === undefined) return;
    this.#members.delete(workerId);
    const leads = this.#ledger.leave(member);
    this.#tellNews();
    // One is enough, and a worker that is starting looks for folders anyway.
    const [heir] = this.#members.values();
    if (leads > 0) heir?.link.tell(ledgerTopics.orphans, null);
  }

  /** Returns the questions that can be answered immediately. */
  #take(member: Member, entries: readonly LedgerEntry[]): Decided[] {
    const answer: Decided[] = [];
    let isAnswered = false;
    const decide = (ticket: number) => (decision: Decided[1]) => {
      (isAnswered ? member.later : answer).push([ticket, decision]);
    };
    for (const entry of entries) this.#enter(member, entry, decide);
    isAnswered = true;
    this.#tellNews();
    return answer;
  }

  #enter(
    member: Member,
    entry: LedgerEntry,
    decide: (ticket: number) => (decision: Decided[1]) => void,
  ): void {
    const ledger = this.#ledger;
    switch (entry.kind) {
      case 'claim':
        ledger.claim(member, entry.claim, decide(entry.ticket));
        break;
      case 'look':
        ledger.look(entry.names, decide(entry.ticket));
        break;
      case 'drained':
        ledger.drained(member, entry.item, entry.submissionId);
        break;
      case 'replace':
        ledger.replace(member, entry.stock);
        break;
      default:
        ledger[entry.kind](member, entry.claim);
    }
  }

  #tellNews(): void {
    const state = this.#currentState();
    const isChanged = state.hasLeads !== this.#state.hasLeads || state.hasSpace !== this.#state.hasSpace;
    this.#state = state;
    for (const { link, later } of this.#members.values()) {
      if (isChanged) link.tell(ledgerTopics.state, state);
      if (later.length > 0) link.tell(ledgerTopics.decided, later.splice(0));
    }
  }

  #currentState(): LedgerState {
    return { hasLeads: this.#ledger.leads > 0, hasSpace: this.#ledger.hasSpace };
  }
}
