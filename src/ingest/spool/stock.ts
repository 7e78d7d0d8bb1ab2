import type { StorableLead } from '../../db/ingest/ingest-commit.ts';
import { keyLifetimeMs } from '../../domain/lead/idempotency.ts';
import { duplicateNames } from '../commit/duplicate-names.ts';
import { payloadBytesMax } from './record.ts';

/** A lead that is in the spool or being written to it. */
export interface StockItem {
  readonly workspace: string;
  readonly bytes: number;
  /** Identify its duplicates. */
  readonly names: readonly string[];
}

/** What the spool remembers of a lead to recognise its duplicates. */
export interface HeldLead extends Pick<StorableLead, 'submissionId' | 'receivedAt' | 'key' | 'signed'> {
  /** Resolves when the lead is on disk. */
  readonly kept: Promise<void>;
}

// So that one workspace cannot fill the spool.
const workspaceFractionMax = 0.25;

/** Keeps count of the spool's contents: bytes, leads, bytes per workspace, and the keys and signatures in use. */
export class Stock {
  readonly #bytesMax: number;
  readonly #workspaceBytes = new Map<string, number>();
  readonly #held = new Map<string, HeldLead>();
  #bytes = 0;
  #leads = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get leads(): number {
    return this.#leads;
  }

  get mayHoldOriginals(): boolean {
    return this.#held.size > 0;
  }

  get hasSpace(): boolean {
    return this.#bytes + payloadBytesMax <= this.#bytesMax;
  }

  fits({ workspace, bytes }: StockItem): boolean {
    const ofWorkspace = this.#workspaceBytes.get(workspace) ?? 0;
    return (
      this.#bytes + bytes <= this.#bytesMax && ofWorkspace + bytes <= this.#bytesMax * workspaceFractionMax
    );
  }

  add(item: StockItem, held: HeldLead): void {
    this.#count(item, 1);
    for (const name of item.names) this.#held.set(name, held);
  }

  remove(item: StockItem, submissionId: string): void {
    this.#count(item, -1);
    for (const name of item.names)
      if (this.#held.get(name)?.submissionId === submissionId) this.#held.delete(name);
  }

  /** The last use of a key or signature, unless it has expired. */
  living(name: string, now: number): HeldLead | null {
    const held = this.#held.get(name);
    return held !== undefined && now < held.receivedAt + keyLifetimeMs ? held : null;
  }

  hasExpired(name: string, now: number): boolean {
    return this.#held.has(name) && this.living(name, now) === null;
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
