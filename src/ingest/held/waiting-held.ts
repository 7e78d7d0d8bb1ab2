import { unprovenWaitingBytesMax, waitingBytesMax } from '../../domain/held/held-bounds.ts';
import type { RecordedHeaders } from '../../domain/held/recorded-headers.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { KnownCall } from '../../domain/senders/recognise.ts';
import type { Surface } from '../../domain/surface.ts';
import type { FormEntry } from '../directory/directory.ts';
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
 * something new. A workspace gets at most half of what the others leave, so that there is always some left for the next
 * one, however long PostgreSQL is down.
 */
export class WaitingHeld {
  readonly #proven = new Pot(waitingBytesMax);
  readonly #unproven = new Pot(unprovenWaitingBytesMax);
  #requests: WaitingRequest[] = [];
  #untakenBytes = 0;

  /** Including those that are being written. */
  get bytes(): number {
    return this.#proven.bytes + this.#unproven.bytes;
  }

  /** Of those that nobody has begun to write. */
  get untakenBytes(): number {
    return this.#untakenBytes;
  }

  hasRoom(isProven: boolean, workspaceId: string, size: number): boolean {
    return this.#potOf(isProven).hasRoom(workspaceId, size);
  }

  add(request: WaitingRequest): void {
    this.#potOf(request.isProven).add(request.form.workspaceId, request.size);
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
    this.#potOf(isProven).add(form.workspaceId, -size);
  }

  #potOf(isProven: boolean): Pot {
    return isProven ? this.#proven : this.#unproven;
  }
}

class Pot {
  readonly #bytesMax: number;
  readonly #ofWorkspaces = new Map<string, number>();
  bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  hasRoom(workspaceId: string, size: number): boolean {
    const own = this.#ofWorkspaces.get(workspaceId) ?? 0;
    const left = this.#bytesMax - (this.bytes - own);
    return own + size <= left / 2;
  }

  add(workspaceId: string, size: number): void {
    this.bytes += size;
    const own = (this.#ofWorkspaces.get(workspaceId) ?? 0) + size;
    if (own > 0) this.#ofWorkspaces.set(workspaceId, own);
    else this.#ofWorkspaces.delete(workspaceId);
  }
}
