import type { StorableKey, StorableSignature } from '../../db/ingest/ingest-commit.ts';
import { largeBodyBytes } from '../../domain/lead/lead.ts';
import { firstGeneration, type SubmissionIds } from '../../domain/lead/submission-id.ts';
import type { Authenticated } from '../authenticate.ts';
import type { Circuits } from '../circuit/circuits.ts';
import type { HeavyParsed } from '../heavy/heavy-leads.ts';
import type { Keyed, Parsed } from '../parse.ts';
import type { Exchange } from '../respond.ts';
import type { Spool } from '../spool/spool.ts';
import type { GroupCommit } from './group-commit.ts';
import { type Submission, type SubmissionDeps, submissionOf, type UnscoredLead } from './submission.ts';

export interface CommitterDeps extends SubmissionDeps {
  readonly groupCommit: GroupCommit;
  readonly spool: Spool;
  readonly circuits: Circuits;
  readonly ids: SubmissionIds;
}

/**
 * Gives a lead its id and chooses where to store it: in PostgreSQL, or in the spool while PostgreSQL is down. While the
 * original of a duplicate is in the spool, PostgreSQL may not know it yet, so the spool answers the duplicate too.
 */
export class Committer {
  readonly #deps: CommitterDeps;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  /** False while no lead can be stored: PostgreSQL is down or overloaded, and the spool is full or failing. */
  get isTaking(): boolean {
    const { circuits, spool, groupCommit } = this.#deps;
    return spool.isTaking || !(circuits.areAllOpen || groupCommit.isOverrun);
  }

  submit(parsed: Parsed | HeavyParsed, exchange: Exchange): void {
    const { circuits, spool, groupCommit } = this.#deps;
    const lead = this.#unscored(parsed);
    const submission = submissionOf(parsed, lead, exchange, this.#deps);
    // Scored here, one at a time: scoring many large leads in a row, for a batch or the spool, would delay other requests.
    if (lead.body.length > largeBodyBytes) submission.score();
    if (circuits.isOpen(lead.shard) || spool.holdsOriginalOf(lead)) spool.submit(submission);
    else if (spool.mayFindOriginalOf(lead)) spool.seek(submission, () => this.#store(submission));
    else groupCommit.submit(submission);
  }

  #store(submission: Submission): void {
    const { circuits, spool, groupCommit } = this.#deps;
    if (circuits.isOpen(submission.lead.shard)) spool.submit(submission);
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

  /** Set before the first attempt to write, so that no number of attempts can store a lead twice. */
  #idOf({ sender, key }: Keyed, signed: StorableSignature | null): string {
    const { ids } = this.#deps;
    if (key !== null) return ids.keyed(sender.workspace.idBytes, key.hash, firstGeneration);
    return signed?.id ?? ids.unkeyed();
  }

  /** Null when the form's replay protection lets the same signed request create another lead. */
  #noteSignature({ sender, key }: Keyed): StorableSignature | null {
    const { signature, form, received } = sender;
    if (signature === null || form.replayProtection === 'off') return null;
    const isSuspect = this.#deps.signatures.see(form, signature, received.arrival.at);
    const id = signedIdOf(sender, key, this.#deps.ids);
    return id === null ? null : { id, isClaimed: form.replayProtection === 'all', isSuspect };
  }
}

/** The id that follows from what was signed; null if the same signed request, under this key, is another lead. */
export function signedIdOf(
  { form, signature }: Authenticated,
  key: StorableKey | null,
  ids: SubmissionIds,
): string | null {
  if (signature === null || form.replayProtection === 'off') return null;
  if (key !== null && form.replayProtection !== 'all') return null;
  return ids.signed(form.idBytes, signature.timestampSeconds, signature.digest);
}
