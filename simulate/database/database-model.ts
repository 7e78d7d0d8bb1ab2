import { binaryUuid } from '../../src/db/binary.ts';
import type { OutcomeFlush } from '../../src/db/diagnostics/outcomes.ts';
import type { AdmissionOutcome, WantedAdmission } from '../../src/db/held/admission.ts';
import type { Admission } from '../../src/db/held/decisions/admitted-leads.ts';
import type { Discard } from '../../src/db/held/decisions/discard.ts';
import type { HoldOutcome, Missed, NewHeld, SharedRoom } from '../../src/db/held/held-database.ts';
import type { CommitException, CommitOptions, StorableLead } from '../../src/db/ingest/ingest-commit.ts';
import type { DrainException, SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import type { QuarantineReason } from '../../src/db/ingest/spool-quarantine.ts';
import type { SoughtOriginal, StoredOriginal } from '../../src/db/ingest/stored-originals.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { eraseLead, quarantineLead } from './erasures.ts';
import { admitRows, discardRows } from './held/admission.ts';
import { ingestCommit } from './ingest-commit.ts';
import { deleteExpiredKeys, findOriginals } from './keys.ts';
import { storeSpooled } from './store-spooled.ts';
import { Tables } from './tables.ts';
import { Transaction } from './transaction.ts';
import type { WorkspaceRows } from './workspace-rows.ts';

/**
 * A model of the database. Each method does the same as the function of that name in src/db, in its own transaction, one
 * after another; a method that throws changes nothing. test/simulate/model.test.ts compares it with the real functions.
 */
export class DatabaseModel extends Tables {
  #transactions = 0;

  ingestCommit(leads: readonly StorableLead[], options: CommitOptions): CommitException[] {
    return this.#transact((transaction) => ingestCommit(this, transaction, leads, options));
  }

  storeSpooled(leads: readonly SpooledLead[]): DrainException[] {
    return this.#transact((transaction) => storeSpooled(this, transaction, leads));
  }

  quarantineLead(lead: SpooledLead, reason: QuarantineReason, refusal: string | null, at: Date): boolean {
    const row = { at: at.getTime(), reason, refusal };
    return this.#transact((transaction) => quarantineLead(this, transaction, lead, row));
  }

  findOriginals(sought: readonly SoughtOriginal[], now: number): StoredOriginal[] {
    return sought.flatMap((one, place) =>
      findOriginals(this.#workspaceOf(one.workspaceId), one, now).map((found) => ({ ...found, place })),
    );
  }

  applyFlush(instanceId: string, sequence: number, now: number, flush: OutcomeFlush): void {
    const row = { sequence, flushedAt: now };
    this.#transact((transaction) => this.diagnostics.apply(transaction, instanceId, row, flush));
  }

  hold(held: readonly NewHeld[], missed: readonly Missed[], room: SharedRoom): HoldOutcome[] {
    const erasuresIn = (id: string) => [...this.#workspaceOf(id).erasures.values()].flat();
    return this.#transact((transaction) => this.held.hold(transaction, held, missed, room, erasuresIn));
  }

  admitRows(
    workspaceId: string,
    wanted: readonly WantedAdmission[],
    admission: Admission,
  ): Map<string, AdmissionOutcome> {
    const rows = this.#workspaceOf(workspaceId);
    return this.#transact((transaction) => admitRows(this, transaction, rows, wanted, admission));
  }

  discardRows(
    workspaceId: string,
    ids: readonly string[],
    discard: Discard,
  ): Map<string, 'discarded' | 'decided'> {
    return this.#transact((transaction) => discardRows(this.held, transaction, workspaceId, ids, discard));
  }

  deleteExpiredKeys(shard: number, now: number, rowsMax: number): number {
    const workspaces = this.workspaces().filter((rows) => rows.shard === shard);
    return this.#transact((transaction) => deleteExpiredKeys(transaction, workspaces, now, rowsMax));
  }

  /** False when there is no such lead. */
  eraseLead(
    workspaceId: string,
    submissionId: string,
    now: number,
    bodyHashOf: (body: Buffer) => Buffer,
  ): boolean {
    const rows = this.#workspaceOf(workspaceId);
    return this.#transact((transaction) =>
      eraseLead(this, transaction, rows, submissionId, { now, bodyHashOf }),
    );
  }

  #workspaceOf(workspaceId: string): WorkspaceRows {
    return this.workspace(shardOf(workspaceId), binaryUuid(workspaceId));
  }

  #transact<T>(work: (transaction: Transaction) => T): T {
    this.#transactions++;
    const transaction = new Transaction(this.#transactions);
    try {
      return work(transaction);
    } catch (error) {
      transaction.rollBack();
      throw error;
    }
  }
}
