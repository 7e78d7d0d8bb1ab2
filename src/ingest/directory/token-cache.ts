import type { TokenType } from '../../domain/token.ts';

const tokensMax = 10_000;

interface Entry {
  readonly type: TokenType;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

/**
 * Tokens that senders use, as they send them: these are found without being hashed. Only tokens that are valid, so that all
 * others take the same time, and only until the directory changes.
 */
export class TokenCache<E extends Entry> {
  readonly #tokens = new Map<string, E>();

  /** If it is valid at that time. */
  get(token: string, at: number): E | null {
    const found = this.#tokens.get(token);
    return found === undefined || (found.expiresAt !== null && found.expiresAt <= at) ? null : found;
  }

  add(token: string, entry: E): void {
    if (entry.revokedAt !== null || entry.type !== 'server') return;
    if (this.#tokens.size === tokensMax) this.clear();
    // A copy: the text is part of the text of all headers, which would be kept with it.
    this.#tokens.set(Buffer.from(token, 'latin1').toString('latin1'), entry);
  }

  clear(): void {
    this.#tokens.clear();
  }
}
