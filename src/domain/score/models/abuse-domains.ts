import { readFileSync } from 'node:fs';
import { wordHash } from '../reading/word-hash.ts';

/**
 * Domains by their hash: 160,000 names in a few hundred KB. One domain in 25,000 has the hash of another one, which is
 * far below the errors of the lists themselves.
 */
export class HashedDomains {
  /** Sorted. */
  readonly #hashes: Uint32Array;
  /** Where the hashes with the same upper half begin. */
  readonly #starts = new Uint32Array(halves + 1);

  constructor(hashes: Uint32Array) {
    this.#hashes = hashes;
    for (const hash of hashes)
      this.#starts[(hash >>> 16) + 1] = (this.#starts[(hash >>> 16) + 1] as number) + 1;
    for (let half = 0; half < halves; half++)
      this.#starts[half + 1] = (this.#starts[half + 1] as number) + (this.#starts[half] as number);
  }

  has(domain: string): boolean {
    const hash = domainHash(domain);
    const end = this.#starts[(hash >>> 16) + 1] as number;
    for (let at = this.#starts[hash >>> 16] as number; at < end; at++)
      if (this.#hashes[at] === hash) return true;
    return false;
  }
}

const halves = 65_536;

export function domainHash(domain: string): number {
  let hash = wordHash(domain);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `npm run models:scoring` makes the file; see models/README.md for its sources. */
export const abuseDomains = new HashedDomains(
  new Uint32Array(new Uint8Array(readFileSync(new URL('abuse-domains.bin', import.meta.url))).buffer),
);
