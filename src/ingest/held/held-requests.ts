import { hurryingBytes, unprovenKeptDays } from '../../domain/held/held-bounds.ts';
import { heldClassOf } from '../../domain/held/held-class.ts';
import type { NotHeldCause } from '../../domain/held/not-held.ts';
import { recordHeaders } from '../../domain/held/recorded-headers.ts';
import { type Clock, dayMs } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import type { Arrival } from '../arrive.ts';
import type { Directory, FormEntry } from '../directory/directory.ts';
import { KnownSenderRejection, ProvenRejection, type Rejection, SignatureRejection } from '../rejection.ts';
import { HeldCaps } from './held-caps.ts';
import { HeldWriter, type HeldWriterDeps } from './held-writer.ts';
import { MissedCounts } from './missed-counts.ts';
import { type KeptHeaders, type SentAs, sizeOf, WaitingHeld, type WaitingRequest } from './waiting-held.ts';

export interface HeldRequestsDeps extends Omit<HeldWriterDeps, 'waiting' | 'missed' | 'caps' | 'onFull'> {
  readonly directory: Pick<Directory, 'workspace'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** False when the operator keeps nothing. */
  readonly isOn: boolean;
}

type Sent = Pick<WaitingRequest, 'reason' | 'form' | 'tokenId' | 'body' | 'isProven' | 'keyHash' | 'call'>;

/** How long a form without room is not asked again. */
const fullMs = 5_000;

const callsMax = 10_000;

/**
 * Keeps rejected requests for the owner of the form, if their sender is proven or may be proven later. A request that is
 * rejected has its response already, and does no more here than join a list; everything else is done by the writer.
 */
export class HeldRequests {
  readonly #deps: HeldRequestsDeps;
  readonly #waiting = new WaitingHeld();
  readonly #missed = new MissedCounts();
  readonly #caps = new HeldCaps();
  readonly #writer: HeldWriter;
  readonly #fullUntil = new Map<string, number>();
  /** Calls of known senders that were taken. Anyone who has recorded one can send it again and again. */
  readonly #calls = new Set<string>();

  constructor(deps: HeldRequestsDeps) {
    this.#deps = deps;
    const onFull = (formId: string) => this.#fullUntil.set(formId, deps.clock.monotonic() + fullMs);
    const [waiting, missed, caps] = [this.#waiting, this.#missed, this.#caps];
    this.#writer = new HeldWriter({ ...deps, waiting, missed, caps, onFull });
  }

  start(): void {
    this.#writer.start();
  }

  async stop(): Promise<void> {
    await this.#writer.stop();
  }

  /** Never throws. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** In memory, until they are written. */
  get waitingBytes(): number {
    return this.#waiting.bytes;
  }

  /** `entryId` is the id of its rejection entry; null if there is none. */
  take(entryId: string | null, arrival: Arrival, rejection: Rejection): void {
    const { reason } = rejection;
    if (rejection instanceof ProvenRejection) {
      const { form, token, body, keyHash = null } = rejection.proof;
      const tokenId = token?.id ?? null;
      const call = rejection instanceof KnownSenderRejection ? rejection.call : null;
      this.#take(entryId, arrival, { reason, form, tokenId, body, isProven: true, keyHash, call });
    } else if (rejection instanceof SignatureRejection) {
      const { form, body } = rejection;
      this.#take(entryId, arrival, { reason, form, tokenId: null, body, isProven: false });
    }
  }

  #take(entryId: string | null, arrival: Arrival, sent: Sent): void {
    const { reason, form, isProven } = sent;
    const kind = heldClassOf(reason, isProven);
    const keptMs = this.#keptMs(form, isProven);
    if (kind === null || keptMs === 0) return;
    const { at, requestId, surface, identity } = arrival;
    const isNoScript = identity.page !== null && identity.page.noScript !== null;
    const { workspaceId } = form;
    const callName = sent.call ? form.id + sent.call.digest.toString('latin1') : null;
    if (callName !== null && this.#calls.has(callName)) return;
    if (isProven && this.#isFull(form.id)) {
      this.#miss('full', isProven, workspaceId, at);
      return;
    }
    const headers = keptHeaders(arrival);
    const hasRoomFor = (size: number) => this.#waiting.hasRoom(isProven, workspaceId, size);
    // Nearly all of a flood ends here, before its headers are gone through.
    const sentAs = isProven && hasRoomFor(sizeOf(headers, sent.body)) ? sentAsOf(arrival) : null;
    const size = sizeOf(headers, sent.body, sentAs);
    if (!hasRoomFor(size)) {
      this.#miss('memory', isProven, workspaceId, at);
      return;
    }
    if (!this.#caps.take({ class: kind, workspaceId, formId: form.id, isNoScript, at })) {
      this.#miss('limit', isProven, workspaceId, at);
      return;
    }
    this.#waiting.add({
      id: entryId ?? this.#deps.randomness.uuid(),
      ...sent,
      surface,
      isNoScript,
      at,
      requestId,
      headers,
      sentAs,
      // A copy, because the original may be a view of a much larger buffer.
      body: Buffer.from(sent.body),
      expiresAt: at + keptMs,
      size,
    });
    if (callName !== null) this.#remember(callName);
    if (this.#waiting.untakenBytes >= hurryingBytes) this.#writer.hurry();
  }

  #remember(callName: string): void {
    if (this.#calls.size >= callsMax) this.#calls.clear();
    this.#calls.add(callName);
  }

  /** 0 if nothing is kept. */
  #keptMs({ workspaceId, keepsRejected }: FormEntry, isProven: boolean): number {
    if (!this.#deps.isOn || !keepsRejected) return 0;
    const days = this.#deps.directory.workspace(workspaceId)?.heldDays ?? 0;
    return dayMs * (isProven ? days : Math.min(days, unprovenKeptDays));
  }

  #isFull(formId: string): boolean {
    const until = this.#fullUntil.get(formId);
    if (until === undefined) return false;
    if (this.#deps.clock.monotonic() < until) return true;
    this.#fullUntil.delete(formId);
    return false;
  }

  /** What strangers send is not counted: they could make the number mean nothing. */
  #miss(cause: NotHeldCause, isProven: boolean, workspaceId: string, at: number): void {
    this.#deps.meter.onNotHeld(cause);
    if (isProven) this.#missed.add(workspaceId, at);
  }
}

/** Longer than any path of this service. */
const pathCharactersMax = 300;

function sentAsOf({ raw: { url = '', rawHeaders } }: Arrival): SentAs {
  const [path = ''] = url.split('?', 1);
  return { path: path.slice(0, pathCharactersMax), headers: recordHeaders(rawHeaders) };
}

/** A page has neither a signature nor an idempotency key, whatever it sends. */
function keptHeaders({ surface, headers }: Arrival): KeptHeaders {
  const { timestamp, signature, contentType, idempotencyKey } = headers;
  if (surface !== 'browser') return { timestamp, signature, contentType, idempotencyKey };
  return { timestamp: undefined, signature: undefined, contentType, idempotencyKey: undefined };
}
