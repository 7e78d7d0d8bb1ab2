import type { StorableLead } from '../../db/ingest/ingest-commit.ts';
import { keyLifetimeMs } from '../../domain/lead/idempotency.ts';
import { duplicateNames, type LeadMarks } from '../commit/duplicates/duplicate-names.ts';
import { payloadBytesMax } from './record.ts';

/** A lead that is in the spool or being written to it. */
export interface StockItem {
  readonly workspace: string;
  readonly bytes: number;
  /** Identify its duplicates. */
  readonly names: readonly string[];
}

export interface Held extends LeadMarks {
  isOnDisk: boolean;
}

/** What the spool remembers of a lead to recognise its duplicates. */
export interface HeldLead extends Held {
  /** Resolves when the lead is on disk. */
  readonly kept: Promise<void>;
}

/** Everything a stock knows, in plain values. */
export interface StockCopy {
  readonly leads: number;
  readonly workspaceBytes: readonly (readonly [workspace: string, bytes: number])[];
  readonly held: readonly (readonly [name: string, lead: Held])[];
}

// So that one workspace cannot fill the spool.
const workspaceFractionMax = 0.25;

/** The bytes in use, in all and by the workspace of a lead. */
export interface BytesUsed {
  readonly total: number;
  readonly ofWorkspace: number;
}

export function hasSpaceFor(bytes: number, used: BytesUsed, bytesMax: number): boolean {
  return used.total + bytes <= bytesMax && used.ofWorkspace + bytes <= bytesMax * workspaceFractionMax;
}

export function hasSpaceForAny(bytes: number, bytesMax: number): boolean {
  return bytes + payloadBytesMax <= bytesMax;
}

/** Keeps count of what one process has spooled: bytes, leads, bytes per workspace, and the keys and signatures in use. */
export class Stock<Lead extends Held> {
  readonly #workspaceBytes = new Map<string, number>();
  readonly #held = new Map<string, Lead>();
  #bytes = 0;
  #leads = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get leads(): number {
    return this.#leads;
  }

  get mayHoldOriginals(): boolean {
    return this.#held.size > 0;
  }

  bytesOf(workspace: string): number {
    return this.#workspaceBytes.get(workspace) ?? 0;
  }

  add(item: StockItem, held: Lead): void {
    this.#count(item, 1);
    for (const name of item.names) this.#held.set(name, held);
  }

  remove(item: StockItem, submissionId: string): void {
    this.#count(item, -1);
    for (const name of item.names)
      if (this.#held.get(name)?.submissionId === submissionId) this.#held.delete(name);
  }

  /** The last use of a key or signature. */
  last(name: string): Lead | null {
    return this.#held.get(name) ?? null;
  }

  /** The same, unless it has expired. */
  living(name: string, now: number): Lead | null {
    const held = this.#held.get(name);
    return held !== undefined && now < held.receivedAt + keyLifetimeMs ? held : null;
  }

  hasExpired(name: string, now: number): boolean {
    return this.#held.has(name) && this.living(name, now) === null;
  }

  get allHeld(): Iterable<Lead> {
    return this.#held.values();
  }

  copy(): StockCopy {
    const held = [...this.#held].map(([name, lead]) => {
      const { submissionId, receivedAt, bodyHash, signedId, isOnDisk } = lead;
      return [name, { submissionId, receivedAt, bodyHash, signedId, isOnDisk }] as const;
    });
    return { leads: this.#leads, workspaceBytes: [...this.#workspaceBytes], held };
  }

  static of<Lead extends Held>(
    { leads, workspaceBytes, held }: StockCopy,
    holding: (lead: Held) => Lead,
  ): Stock<Lead> {
    const stock = new Stock<Lead>();
    stock.#leads = leads;
    for (const [workspace, bytes] of workspaceBytes) {
      stock.#workspaceBytes.set(workspace, bytes);
      stock.#bytes += bytes;
    }
    for (const [name, lead] of held) stock.#held.set(name, holding(lead));
    return stock;
  }

  #count({ workspace, bytes }: StockItem, sign: 1 | -1): void {
    this.#bytes += sign * bytes;
    this.#leads += sign;
    const ofWorkspace = (this.#workspaceBytes.get(workspace) ?? 0) + sign * bytes;
    if (ofWorkspace > 0) this.#workspaceBytes.set(workspace, ofWorkspace);
    else this.#workspaceBytes.delete(workspace);
  }
}

export function stockItem(
  lead: Pick<StorableLead, 'workspaceId' | 'key' | 'signed'>,
  bytes: number,
): StockItem {
  return {
    workspace: lead.workspaceId.toString('latin1'),
    bytes,
    names: duplicateNames(lead),
  };
}
