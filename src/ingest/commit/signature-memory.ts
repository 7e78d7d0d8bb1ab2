import type { VerifiedSignature } from '../../domain/signature.ts';
import { timestampToleranceSeconds } from '../../domain/signature.ts';
import type { FormEntry } from '../directory/directory.ts';

// From the first to the last moment at which a signed request is accepted.
const validForMs = 2 * timestampToleranceSeconds * 1000;
const signaturesMax = 50_000;
export const signatureNameBytes = 16 + 32;

/**
 * The signatures that this instance has verified recently. Only a hint, so it may forget: there are two generations, and
 * the older one is dropped when the younger one is full or too old. Workers of one host tell each other which signatures
 * have created leads, because that decides whether the owner is told of a replay.
 */
export class SignatureMemory {
  /** True for signatures that have created a lead. */
  #young = new Map<string, boolean>();
  #old = new Map<string, boolean>();
  #since = 0;
  #onStored: (name: string) => void = () => {};

  /** Hears of every signature that creates its first lead. */
  tellTo(onStored: (name: string) => void): void {
    this.#onStored = onStored;
  }

  /** Another process of the host has stored a lead with this signature. */
  absorb(name: string): void {
    if (this.#young.size >= signaturesMax) this.#age(this.#since);
    this.#young.set(name, true);
  }

  /** True when the signature was seen before: its lead is probably stored already. */
  see(form: FormEntry, signature: VerifiedSignature, now: number): boolean {
    if (this.#young.size >= signaturesMax || now - this.#since >= validForMs) this.#age(now);
    const name = nameOf(form, signature);
    if (this.#isStored(name) !== undefined) return true;
    this.#young.set(name, false);
    return false;
  }

  /** True when the signature had created a lead before: someone may be replaying a recorded request. */
  markStored(form: FormEntry, signature: VerifiedSignature): boolean {
    const name = nameOf(form, signature);
    const isReplay = this.#isStored(name) === true;
    this.#young.set(name, true);
    if (!isReplay) this.#onStored(name);
    return isReplay;
  }

  #isStored(name: string): boolean | undefined {
    return this.#young.get(name) ?? this.#old.get(name);
  }

  #age(now: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#since = now;
  }
}

/** Form and digest, a character per byte. */
function nameOf({ idBytes }: FormEntry, { digest }: VerifiedSignature): string {
  return idBytes.toString('latin1') + digest.toString('latin1');
}
