import type { Finding, MistakeCode } from '../mistakes.ts';

/** One way in which a sender may have made one part of the signature; without findings it is the correct way. */
export interface Variant<Value> {
  readonly value: Value;
  readonly findings: readonly Finding[];
}

export function right<Value>(value: Value): Variant<Value> {
  return { value, findings: [] };
}

export function wrong<Value>(value: Value, code: MistakeCode, says: string): Variant<Value> {
  return { value, findings: [{ code, says }] };
}

/** Skips what was offered before: the first name for the same bytes is the simplest. */
export class DistinctBytes {
  readonly #seen = new Set<string>();

  isNew(bytes: Buffer): boolean {
    const key = bytes.toString('latin1');
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}
