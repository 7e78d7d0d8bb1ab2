import type { StorableSignature } from '../../db/ingest/ingest-commit.ts';
import { largeBodyBytes } from '../../domain/lead/lead.ts';
import { firstGeneration, type SubmissionIds } from '../../domain/lead/submission-id.ts';
import type { HeavyParsed } from '../heavy/heavy-leads.ts';
import type { Keyed, Parsed } from '../parse.ts';
import type { Exchange } from '../respond.ts';
import type { Spool } from '../spool/spool.ts';
import type { Circuit } from './circuit.ts';
import type { GroupCommit } from './group-commit.ts';
import { type SubmissionDeps, submissionOf, type UnscoredLead } from './submission.ts';

export interface CommitterDeps extends SubmissionDeps {
  readonly groupCommit: GroupCommit;
  readonly spool: Spool;
  readonly circuit: Circuit;
  readonly ids: SubmissionIds;
}

/**
 * Gives a lead its id, and chooses where it is kept: in PostgreSQL, or in the spool while PostgreSQL is away. A lead whose
 * original still waits in the spool is a repeat, whatever PostgreSQL knows.
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

  submit(parsed: Parsed | HeavyParsed, exchange: Exchange): void {
    const { circuit, spool, groupCommit } = this.#deps;
    const lead = this.#unscored(parsed);
    const submission = submissionOf(parsed, lead, exchange, this.#deps);
    // In its own turn: many large leads in a row, with their batch or on their way to the spool, would hold up the others.
    if (lead.body.length > largeBodyBytes) submission.score();
    if (circuit.isOpen || spool.holdsOriginalOf(lead)) spool.submit(submission);
    else groupCommit.submit(submission);
  }

  #unscored({ keyed, projection }: Parsed | HeavyParsed): UnscoredLead {
    const { received, workspace, form, token } = keyed.sender;
    const signed = this.#noteSignature(keyed);
    return {
      shard: workspace.shard,
      workspaceId: workspace.idBytes,
      formId: form.idBytes,
      tokenId: token?.idBytes ?? null,
      surface: received.arrival.surface,
      submissionId: this.#idOf(keyed, signed),
      receivedAt: received.arrival.at,
      body: received.body,
      projection,
      key: keyed.key,
      signed,
    };
  }

  /** Made before the first try to write, so that no number of tries can store a lead twice. */
  #idOf({ sender, key }: Keyed, signed: StorableSignature | null): string {
    const { ids } = this.#deps;
    if (key !== null) return ids.keyed(sender.workspace.idBytes, key.hash, firstGeneration);
    return signed?.id ?? ids.unkeyed();
  }

  /** Null where the same signed request may make another lead: the owner of the form decides. */
  #noteSignature({ sender, key }: Keyed): StorableSignature | null {
    const { signature, form, received } = sender;
    if (signature === null || form.replayProtection === 'off') return null;
    const { ids, signatures } = this.#deps;
    const isSuspect = signatures.see(form, signature, received.arrival.at);
    const isClaimed = form.replayProtection === 'all';
    if (key !== null && !isClaimed) return null;
    const id = ids.signed(form.idBytes, signature.timestampSeconds, signature.digest);
    return { id, isClaimed, isSuspect };
  }
}
