import { unprovenWaitingBytesMax, waitingBytesMax } from '../../domain/held/held-bounds.ts';
import type { RecordedHeaders } from '../../domain/held/recorded-headers.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { KnownCall } from '../../domain/senders/recognise.ts';
import type { Surface } from '../../domain/surface.ts';
import type { FormEntry } from '../directory/directory.ts';
import { FairRoom } from '../fair-room.ts';
import type { HeaderValue, IngestHeaders } from '../headers.ts';

/** A rejected request that waits to be written, not encrypted yet. */
export interface WaitingRequest {
  readonly id: string;
  readonly form: FormEntry;
  readonly tokenId: string | null;
  readonly surface: Surface;
  readonly reason: RejectionReason;
  readonly isProven: boolean;
  readonly at: number;
  readonly requestId: string;
  readonly headers: KeptHeaders;
  /** Null for senders who are not proven: nothing more is kept of these than is needed to check their signature. */
  readonly sentAs: SentAs | null;
  /** On the browser surface, what stands for the idempotency key. */
  readonly keyHash?: Buffer | null;
  /** Of a web page without script, so without a token. */
  readonly isNoScript?: boolean;
  readonly body: Buffer;
  readonly expiresAt: number;
  /** Of a known sender that proved itself by its own scheme. */
  readonly call?: KnownCall | null;
  /** What it takes of the memory. */
  readonly size: number;
}

export type KeptHeaders = Pick<IngestHeaders, 'timestamp' | 'signature' | 'contentType' | 'idempotencyKey'>;

/** How it was sent, for its owner to read. */
export interface SentAs {
  readonly path: string;
  readonly headers: RecordedHeaders;
}

/** Of the objects around a body. */
const overheadBytes = 256;

export function sizeOf(
  { timestamp, signature, contentType, idempotencyKey }: KeptHeaders,
  body: Buffer,
  sentAs: SentAs | null = null,
) {
  const ofHeaders =
    lengthOf(timestamp) + lengthOf(signature) + lengthOf(contentType) + lengthOf(idempotencyKey);
  return overheadBytes + ofHeaders + sizeOfSentAs(sentAs) + body.length;
}

function sizeOfSentAs(sentAs: SentAs | null): number {
  if (sentAs === null) return 0;
  return sentAs.headers.reduce((sum, [name, value]) => sum + name.length + value.length, sentAs.path.length);
}

function lengthOf(header: HeaderValue): number {
  return typeof header === 'string' ? header.length : 0;
}

/**
 * Rejected requests in memory until they are written, proven and unproven ones with separate room. Nothing is pushed out by
 * something new.
 */
export class WaitingHeld {
  readonly #proven = new FairRoom(waitingBytesMax);
  readonly #unproven = new FairRoom(unprovenWaitingBytesMax);
  #requests: WaitingRequest[] = [];
  #untakenBytes = 0;

  /** Including those that are being written. */
  get bytes(): number {
    return this.#proven.used + this.#unproven.used;
  }

  /** Of those that nobody has begun to write. */
  get untakenBytes(): number {
    return this.#untakenBytes;
  }

  hasRoom(isProven: boolean, workspaceId: string, size: number): boolean {
    return this.#roomOf(isProven).hasRoom(workspaceId, size);
  }

  add(request: WaitingRequest): void {
    this.#roomOf(request.isProven).add(request.form.workspaceId, request.size);
    this.#requests.push(request);
    this.#untakenBytes += request.size;
  }

  /** All of them, to be written. They take room until they are released. */
  takeAll(): WaitingRequest[] {
    const taken = this.#requests;
    this.#requests = [];
    this.#untakenBytes = 0;
    return taken;
  }

  release({ isProven, form, size }: WaitingRequest): void {
    this.#roomOf(isProven).add(form.workspaceId, -size);
  }

  #roomOf(isProven: boolean): FairRoom {
    return isProven ? this.#proven : this.#unproven;
  }
}
