import type { StorableLead } from '../../db/ingest-commit.ts';
import { keyLifetimeMs } from '../../domain/idempotency.ts';
import { keyName } from '../key-name.ts';
import { payloadBytesMax } from './record.ts';

/** A lead that is in the spool, or on its way into it. */
export interface StockItem {
  readonly workspace: string;
  readonly bytes: number;
  /** The name of its idempotency key, if it has one. */
  readonly keyName: string | null;
}

export interface HeldKey {
  readonly submissionId: string;
  readonly bodyHash: Buffer;
  readonly receivedAt: number;
  /** Resolves when the lead is on disk. */
  readonly kept: Promise<void>;
}

// So that one workspace cannot fill the spool of all.
const workspaceShareMax = 0.25;

/** What the spool holds: how much, whose, and under which keys. */
export class Stock {
  readonly #bytesMax: number;
  readonly #workspaceBytes = new Map<string, number>();
  readonly #keys = new Map<string, HeldKey>();
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

  get hasKeys(): boolean {
    return this.#keys.size > 0;
  }

  get hasRoom(): boolean {
    return this.#bytes + payloadBytesMax <= this.#bytesMax;
  }

  fits({ workspace, bytes }: StockItem): boolean {
    const ofWorkspace = this.#workspaceBytes.get(workspace) ?? 0;
    return this.#bytes + bytes <= this.#bytesMax && ofWorkspace + bytes <= this.#bytesMax * workspaceShareMax;
  }

  add(item: StockItem, key: HeldKey | null): void {
    this.#count(item, 1);
    if (item.keyName !== null && key !== null) this.#keys.set(item.keyName, key);
  }

  remove(item: StockItem, submissionId: string): void {
    this.#count(item, -1);
    if (item.keyName !== null && this.#keys.get(item.keyName)?.submissionId === submissionId)
      this.#keys.delete(item.keyName);
  }

  /** The key's last use, unless its lifetime is over. */
  livingKey(name: string, now: number): HeldKey | null {
    const key = this.#keys.get(name);
    return key !== undefined && now < key.receivedAt + keyLifetimeMs ? key : null;
  }

  hasExpiredKey(name: string, now: number): boolean {
    return this.#keys.has(name) && this.livingKey(name, now) === null;
  }

  #count({ workspace, bytes }: StockItem, sign: 1 | -1): void {
    this.#bytes += sign * bytes;
    this.#leads += sign;
    const ofWorkspace = (this.#workspaceBytes.get(workspace) ?? 0) + sign * bytes;
    if (ofWorkspace > 0) this.#workspaceBytes.set(workspace, ofWorkspace);
    else this.#workspaceBytes.delete(workspace);
  }
}

export function stockItem(lead: Pick<StorableLead, 'workspaceId' | 'key'>, bytes: number): StockItem {
  return {
    workspace: lead.workspaceId.toString('latin1'),
    bytes,
    keyName: keyName(lead),
  };
}
