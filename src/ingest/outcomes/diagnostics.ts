import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { KeyReuse } from '../../db/diagnostics/outcomes.ts';
import type { FlushPart, IngestDatabase } from '../../db/ingest/ingest-database.ts';
import type { DiagnosticNoteKind } from '../../domain/diagnostic-note.ts';
import { personHashesOf } from '../../domain/held/person-hashes.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import { hashKey, isOwnSecret, parseIdempotencyKey } from '../../domain/lead/idempotency.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import { driftSeconds, type VerifiedSignature } from '../../domain/signature.ts';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Clock } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import type { Arrival, FormerSlug } from '../arrive.ts';
import { type Authenticated, proofOf } from '../authenticate.ts';
import type { FormEntry, TokenEntry } from '../directory/directory.ts';
import type { HeldRequests } from '../held/held-requests.ts';
import { fieldsIn, unprovenValuesMax } from '../held/new-held.ts';
import { KnownSenderRejection, ProvenRejection, Rejection } from '../rejection.ts';
import type { HostLink } from '../siblings/link.ts';
import { EntryCap } from './entry-cap.ts';
import { FlushedTally } from './flushed-tally.ts';
import { type HostCaps, hostCapsOver } from './host-caps.ts';
import type { OutcomeTally } from './outcome-tally.ts';

export interface DiagnosticsDeps {
  readonly database: Pick<IngestDatabase, 'flushPartOf'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
  readonly held: Pick<HeldRequests, 'take'>;
  readonly bodyHashes: BodyHashes;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
}

/**
 * Counts every outcome in memory and writes the sums once a second, so that a flood of rejections costs the database next
 * to nothing. On a cluster each node has its own tally: while one is down, those of the others are written.
 */
export class Diagnostics {
  readonly #deps: DiagnosticsDeps;
  readonly #entryCap = new EntryCap();
  readonly #host: HostCaps | null;
  readonly #tallies = new Map<FlushPart, FlushedTally>();
  #isStarted = false;

  constructor(deps: DiagnosticsDeps) {
    this.#deps = deps;
    this.#host = deps.link === undefined ? null : hostCapsOver(deps.link, deps.clock);
    this.#tallyIn(deps.database.flushPartOf(null));
  }

  start(): void {
    this.#isStarted = true;
    for (const tally of this.#tallies.values()) tally.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#tallies.values()].map((tally) => tally.stop()));
  }

  accepted({ received, form, token, signature }: Authenticated, isSpam: boolean): void {
    const { at, surface, identity, address } = received.arrival;
    const tally = this.#tallyOf(form.workspaceId);
    tally.count(token ?? form, surface, 'accepted', at, isSpam);
    this.#handled(form.workspaceId, at, tally);
    if (signature?.isByFormerSecret) tally.formerSecretUsed(form, at);
    const tallyOfNobody = this.#tallyOfNobody();
    tallyOfNobody.formUses.leadAccepted(form, identity.formerSlug?.slug ?? null, at);
    if (signature !== null) this.#verified(form, signature, received.arrival, tally);
    if (token !== null) tallyOfNobody.tokenUsed(token, at, address);
  }

  /** A duplicate is no further lead, but its signature says what time the sender has. */
  acceptedAgain({ received, form, signature }: Authenticated): void {
    const tally = this.#tallyOf(form.workspaceId);
    this.#handled(form.workspaceId, received.arrival.at, tally);
    if (signature !== null) this.#verified(form, signature, received.arrival, tally);
  }

  /** Recorded for every workspace that the request names; if it names none, for the operator. */
  rejected(arrival: Arrival, rejection: Rejection): void {
    const { token, forms, formerSlug } = arrival.identity;
    if (token !== null) this.#rejectedBy(token, arrival, rejection);
    else if (forms.length > 0) for (const form of forms) this.#rejectedBy(form, arrival, rejection);
    else if (formerSlug !== null && rejection.reason === 'form_unknown')
      this.#rejectedAt(formerSlug, arrival);
    else {
      const { surface, at, requestId } = arrival;
      this.#tallyOfNobody().countUnattributed(surface, rejection.reason, at, requestId);
    }
  }

  /** For requests that Node's parser refused: none of their content can be trusted. */
  unreadable(surface: Surface, reason: RejectionReason, requestId: string): void {
    this.#tallyOfNobody().countUnattributed(surface, reason, this.#deps.clock.now(), requestId);
  }

  /** The sender got the response of another lead. What it sent is not stored, but held: the key may be wrong. */
  bodyDiffers(sender: Authenticated, submissionId: string): void {
    const { arrival } = sender.received;
    this.#deps.held.take(null, arrival, new ProvenRejection('idempotency_key_reused', {}, proofOf(sender)));
    this.#note('idempotency_body_differs', sender, submissionId);
  }

  replayed(sender: Authenticated, submissionId: string): void {
    this.#note('signature_repeated', sender, submissionId);
  }

  #note(kind: DiagnosticNoteKind, sender: Authenticated, submissionId: string): void {
    const { requestId, at, surface } = sender.received.arrival;
    if (!this.#entryCap.takeOfMinute(sender.workspace.id, kind, at)) return;
    this.#tallyOf(sender.workspace.id).note({
      shard: sender.workspace.shard,
      workspaceId: sender.workspace.id,
      id: this.#deps.randomness.uuid(),
      at: new Date(at).toISOString(),
      surface,
      kind,
      formId: sender.form.id,
      tokenId: sender.token?.id ?? null,
      requestId,
      submissionId,
      reuse: kind === 'idempotency_body_differs' ? this.#reuseBy(sender) : null,
    });
  }

  #reuseBy({ received, workspace }: Authenticated): KeyReuse | null {
    const { idempotencyKey: header } = received.arrival.headers;
    const key = typeof header === 'string' ? parseIdempotencyKey(header) : null;
    if (key === null) return null;
    const keyHash = hashKey(key);
    const fields = fieldsIn(received.body, unprovenValuesMax);
    const persons = fields === null ? [] : personHashesOf(this.#deps.bodyHashes, workspace.id, fields);
    return {
      keyHash,
      // With the key, so that it says nothing about a person beyond this key.
      person:
        persons.length === 0
          ? null
          : hash('sha256', Buffer.concat([keyHash, ...persons.toSorted(Buffer.compare)]), 'buffer'),
      isSecret: isOwnSecret(key),
    };
  }

  /** Never throws: what could not be written is sent with the next flush. */
  async flush(): Promise<void> {
    await Promise.all([...this.#tallies.values()].map((tally) => tally.flush()));
  }

  #tallyOf(workspaceId: string): OutcomeTally {
    return this.#tallyIn(this.#deps.database.flushPartOf(shardOf(workspaceId)));
  }

  /** For what belongs to no workspace, and for tokens and forms, which are part of the directory. */
  #tallyOfNobody(): OutcomeTally {
    return this.#tallyIn(this.#deps.database.flushPartOf(null));
  }

  #tallyIn(part: FlushPart): OutcomeTally {
    const known = this.#tallies.get(part);
    if (known !== undefined) return known.tally;
    const { clock, log, randomness } = this.#deps;
    const tally = new FlushedTally({
      part,
      instanceId: randomness.uuid(),
      clock,
      log,
      host: this.#host,
    });
    this.#tallies.set(part, tally);
    if (this.#isStarted) tally.start();
    return tally.tally;
  }

  /** After a leap of the machine's clock, nobody knows whose clock is wrong until the service follows it or it is set back. */
  #verified(form: FormEntry, signature: VerifiedSignature, arrival: Arrival, tally: OutcomeTally): void {
    const { at, identity } = arrival;
    if (!signature.isByFormerSecret)
      this.#tallyOfNobody().formUses.secretVerified(form, identity.formerSlug?.slug ?? null, at);
    if ((this.#deps.clock.leapMs ?? 0) === 0)
      tally.drifted(form, -driftSeconds(signature.timestampSeconds, at), at);
  }

  /** Since the headers arrived; the time that a large body took to arrive is part of it. */
  #handled(workspaceId: string, at: number, tally: OutcomeTally): void {
    tally.handled(workspaceId, this.#deps.clock.now() - at, at);
  }

  /** Whoever renamed a form finds its sender in the diagnostics. */
  #rejectedAt({ slug, forms }: FormerSlug, arrival: Arrival): void {
    const rejection = new Rejection('form_unknown', { former_slug: slug });
    for (const form of forms) this.#rejectedBy(form, arrival, rejection);
  }

  #rejectedBy(source: TokenEntry | FormEntry, arrival: Arrival, rejection: Rejection): void {
    const { requestId, at, surface } = arrival;
    const { reason, detail } = rejection;
    const { workspaceId } = source;
    const tally = this.#tallyOf(workspaceId);
    const proof = rejection instanceof ProvenRejection ? rejection.proof : null;
    // Anyone who opens a web page gets a token for it, so such a token proves nothing about who rejections are caused by.
    // Nor does a call that anyone may have recorded.
    const isProven = proof !== null && surface !== 'browser' && !(rejection instanceof KnownSenderRejection);
    tally.count(source, surface, reason, at, isProven);
    this.#handled(workspaceId, at, tally);
    if (proof !== null && proof.signature !== null)
      this.#verified(proof.form, proof.signature, arrival, tally);
    const hasRoom = tally.entries.hasRoom(workspaceId, isProven);
    const limit = hasRoom ? this.#entryCap.take(workspaceId, reason, isProven, at) : null;
    const id = limit === null ? null : this.#deps.randomness.uuid();
    this.#deps.held.take(id, arrival, rejection);
    if (limit === null || id === null) return;
    const ids =
      'formId' in source
        ? { formId: source.formId, tokenId: source.id }
        : { formId: source.id, tokenId: null };
    tally.entries.add({
      isProven,
      limit,
      shard: shardOf(workspaceId),
      workspaceId,
      id,
      at: new Date(at).toISOString(),
      surface,
      reason,
      ...ids,
      requestId,
      // The sender saw another response then.
      detail: arrival.identity.page?.noScript ? { ...detail, no_script: true } : detail,
    });
  }
}
