import type { StorableLead } from '../../db/ingest/ingest-commit.ts';
import type { Spool } from '../spool/spool.ts';
import type { Circuit } from './circuit.ts';
import type { GroupCommit, Settle } from './group-commit.ts';

export interface CommitterDeps {
  readonly groupCommit: GroupCommit;
  readonly spool: Spool;
  readonly circuit: Circuit;
}

/**
 * Chooses where a lead is kept: in PostgreSQL, or in the spool while PostgreSQL is away. A lead whose original still
 * waits in the spool is a repeat, whatever PostgreSQL knows.
 */
export class Committer {
  readonly #deps: CommitterDeps;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  /** False while there is no place for another lead: PostgreSQL is away or overrun, and the spool is full or failing. */
  get isTaking(): boolean {
    const { circuit, spool, groupCommit } = this.#deps;
    return spool.isTaking || !(circuit.isOpen || groupCommit.isOverrun);
  }

  submit(lead: StorableLead, settle: Settle): void {
    const { circuit, spool, groupCommit } = this.#deps;
    if (circuit.isOpen || spool.holdsOriginalOf(lead)) spool.submit(lead, settle);
    else groupCommit.submit(lead, settle);
  }
}
