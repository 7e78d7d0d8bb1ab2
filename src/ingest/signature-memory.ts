import { timestampToleranceSeconds } from '../domain/signature.ts';

// From the earliest moment at which a signed request is accepted to the last.
const validForMs = 2 * timestampToleranceSeconds * 1000;
const signaturesMax = 50_000;

/**
 * The signatures of the leads that this instance has stored lately, so that one that made a second lead can be noted.
 * It decides nothing, so it may forget: two generations, of which the older is dropped when the younger is full or old.
 */
export class SignatureMemory {
  #young = new Set<string>();
  #old = new Set<string>();
  #since = 0;

  /** True when the signature has made a lead before. */
  see(formId: Buffer, digest: Buffer, now: number): boolean {
    if (this.#young.size >= signaturesMax || now - this.#since >= validForMs) this.#age(now);
    const name = formId.toString('latin1') + digest.toString('latin1');
    if (this.#young.has(name) || this.#old.has(name)) return true;
    this.#young.add(name);
    return false;
  }

  #age(now: number): void {
    this.#old = this.#young;
    this.#young = new Set();
    this.#since = now;
  }
}
