import type { HeldClass } from '../../domain/held/held-class.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { Surface } from '../../domain/surface.ts';

/** A rejected request on its way to the database, encrypted. */
export interface NewHeld {
  readonly shard: number;
  readonly workspaceId: string;
  readonly id: string;
  readonly formId: string;
  readonly tokenId: string | null;
  /** The slug it was sent to; null on the token surface. Not stored. */
  readonly slug: string | null;
  readonly surface: Surface;
  readonly reason: RejectionReason;
  readonly class: HeldClass;
  readonly receivedAt: Date;
  readonly requestId: string;
  readonly sentAt: Date | null;
  readonly bodyBytes: number;
  readonly bodyHash: Buffer;
  readonly signatureHash: Buffer | null;
  readonly keyHash: Buffer | null;
  readonly personHashes: readonly Buffer[];
  /** A known sender that proved itself by its own scheme; null for all others. */
  readonly sender: string | null;
  readonly sealed: Buffer;
  readonly expiresAt: Date;
}

/**
 * What became of a request: kept; kept before, or another copy with the same signature was; not ours to keep; or there was
 * no room.
 */
export type HoldOutcome = 'kept' | 'known' | 'excluded' | 'full';

/** What the held requests of all workspaces use. */
export interface HeldBytes {
  readonly proven: number;
  readonly unproven: number;
}

/** What was not kept, because there was no room in memory. */
export interface Missed {
  readonly shard: number;
  readonly workspaceId: string;
  readonly day: string;
  readonly count: number;
}

/** The room that all workspaces share, as far as an instance knows. */
export interface SharedRoom {
  /** What proven requests of all workspaces use, and may use. */
  readonly provenBytes: number;
  readonly provenBytesMax: number;
  readonly unprovenBytes: number;
  readonly unprovenBytesMax: number;
}
