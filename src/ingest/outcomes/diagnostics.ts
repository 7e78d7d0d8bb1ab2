import type { Logger } from 'pino';
import type { IngestDatabase } from '../../db/ingest/ingest-database.ts';
import type { DiagnosticNoteKind } from '../../domain/diagnostic-note.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Clock, Loop } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import type { Arrival } from '../arrive.ts';
import type { Authenticated } from '../authenticate.ts';
import type { FormEntry, TokenEntry } from '../directory/directory.ts';
import { type Rejection, SignatureRejection } from '../rejection.ts';
import type { HostLink } from '../siblings/link.ts';
import { EntryCap } from './entry-cap.ts';
import { type AskHost, askHostOver } from './host-caps.ts';
import { KeptRequests } from './kept-requests.ts';
import { OutcomeTally } from './outcome-tally.ts';

export interface DiagnosticsDeps {
  readonly database: Pick<IngestDatabase, 'applyFlush'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
  readonly secretBox: SecretBox;
  readonly bodyHashes: BodyHashes;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
}

export const diagnosticsFlushMs = 1_000;

/**
 * Counts every outcome in memory and writes the sums once a second, so that a flood of rejections costs the database next
 * to nothing. A failed flush is sent again under the same sequence number while a new tally keeps counting.
 */
export class Diagnostics {
  readonly #deps: DiagnosticsDeps;
  readonly #instanceId: string;
  readonly #entryCap = new EntryCap();
  readonly #keptRequests: KeptRequests;
  readonly #askHost: AskHost | null;
  #tally = new OutcomeTally();
  #unsent: OutcomeTally | null = null;
  #sequence = 0;
  #hasFailed = false;
  #flushing: Promise<void> | null = null;
  #loop: Loop | null = null;

  constructor(deps: DiagnosticsDeps) {
    this.#deps = deps;
    this.#instanceId = deps.randomness.uuid();
    this.#keptRequests = new KeptRequests(deps.secretBox, deps.bodyHashes);
    this.#askHost = deps.link === undefined ? null : askHostOver(deps.link, deps.clock);
  }

  start(): void {
    const pauses = { pauseMs: diagnosticsFlushMs, pauseFirst: true };
    this.#loop = this.#deps.clock.repeat(() => this.flush(), pauses);
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.flush();
    // Writes what was counted during that flush. If it failed, another would fail too.
    if (this.#unsent === null) await this.flush();
  }

  accepted({ received, form, token, signature }: Authenticated): void {
    const { at } = received.arrival;
    this.#tally.count(token ?? form, 'accepted', at);
    if (token !== null) this.#tally.tokenUsed(token, at);
    if (signature?.isByFormerSecret) this.#tally.formerSecretUsed(form, at);
  }

  /** Recorded for every workspace that the request names; if it names none, for the operator. */
  rejected(arrival: Arrival, rejection: Rejection): void {
    const { token, forms } = arrival.identity;
    if (token !== null) this.#rejectedBy(token, arrival, rejection);
    else if (forms.length > 0) for (const form of forms) this.#rejectedBy(form, arrival, rejection);
    else this.#tally.countUnattributed(arrival.surface, rejection.reason, arrival.at);
  }

  /** For requests that Node's parser refused: none of their content can be trusted. */
  unreadable(reason: RejectionReason): void {
    this.#tally.countUnattributed('server', reason, this.#deps.clock.now());
  }

  bodyDiffers(sender: Authenticated, submissionId: string): void {
    this.#note('idempotency_body_differs', sender, submissionId);
  }

  replayed(sender: Authenticated, submissionId: string): void {
    this.#note('signature_repeated', sender, submissionId);
  }

  #note(kind: DiagnosticNoteKind, sender: Authenticated, submissionId: string): void {
    const { requestId, at, surface } = sender.received.arrival;
    if (!this.#entryCap.take(sender.workspace.id, kind, at)) return;
    this.#tally.note({
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
    });
  }

  /** Never throws: what could not be written is sent with the next flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    if (this.#unsent === null) {
      if (this.#tally.isEmpty) return;
      this.#unsent = this.#tally;
      this.#tally = new OutcomeTally();
      this.#sequence++;
    }
    if (this.#askHost !== null) await this.#unsent.keepWithinCaps(this.#askHost);
    try {
      await this.#deps.database.applyFlush(
        this.#instanceId,
        this.#sequence,
        this.#deps.clock.now(),
        this.#unsent.toFlush((request) => this.#keptRequests.seal(request)),
      );
      this.#unsent = null;
      this.#hasFailed = false;
    } catch (error) {
      // Logged once per outage, not every second.
      if (!this.#hasFailed)
        this.#deps.log.warn({ err: error }, 'diagnostics not written; keeping them for the next attempt');
      this.#hasFailed = true;
    }
  }

  #rejectedBy(source: TokenEntry | FormEntry, arrival: Arrival, rejection: Rejection): void {
    const { requestId, at, surface } = arrival;
    const { reason, detail } = rejection;
    const { workspaceId } = source;
    this.#tally.count(source, reason, at);
    if (!this.#entryCap.take(workspaceId, reason, at)) return;
    const ids =
      'formId' in source
        ? { formId: source.formId, tokenId: source.id }
        : { formId: source.id, tokenId: null };
    const id = this.#deps.randomness.uuid();
    if (rejection instanceof SignatureRejection) this.#keep(id, arrival, rejection);
    this.#tally.entry({
      shard: shardOf(workspaceId),
      workspaceId,
      id,
      at: new Date(at).toISOString(),
      surface,
      reason,
      ...ids,
      requestId,
      detail,
    });
  }

  /** For the signature debugger, within narrow limits. */
  #keep(rejectionId: string, arrival: Arrival, rejection: SignatureRejection): void {
    const kept = this.#keptRequests.take(rejectionId, arrival, rejection);
    if (kept !== null) this.#tally.keep(kept);
  }
}
