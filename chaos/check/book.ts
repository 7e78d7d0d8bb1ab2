import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Surface } from '../../src/domain/surface.ts';
import type { Attempt } from '../load/order.ts';

/**
 * Attempts that may create at most one lead together: those with the same key in a workspace, or the single attempt of a
 * lead without a key.
 */
export interface Entry {
  readonly name: string;
  readonly workspaceId: string;
  readonly isKeyed: boolean;
  /** The bodies that were sent with valid credentials, and on which surface. */
  readonly bodies: Map<string, Surface>;
  readonly invalidBodies: Set<string>;
  /** The distinct bodies of 202 responses. More than one is an error. */
  readonly accepted: Set<string>;
  /** True when the only attempt got a 200, so that nothing may be stored. */
  rejected: boolean;
  readonly times: { readonly sentAt: number; readonly endedAt: number }[];
}

/** What the senders know, read from the ledger. */
export interface Book {
  readonly attempts: Attempt[];
  readonly entries: Map<string, Entry>;
}

export async function readBook(ledgerPath: string): Promise<Book> {
  const book: Book = { attempts: [], entries: new Map() };
  for await (const line of createInterface({ input: createReadStream(ledgerPath) })) {
    enter(book, JSON.parse(line));
  }
  return book;
}

function enter({ attempts, entries }: Book, attempt: Attempt): void {
  attempts.push(attempt);
  const name = attempt.key === null ? `lead ${attempt.lead}` : `key ${attempt.key} of ${attempt.workspaceId}`;
  const entry = entries.get(name) ?? emptyEntry(name, attempt);
  entries.set(name, entry);
  if (attempt.isValid) entry.bodies.set(attempt.bodySha256, attempt.surface);
  else entry.invalidBodies.add(attempt.bodySha256);
  if (attempt.outcome === '202') entry.accepted.add(attempt.answer ?? '');
  if (attempt.outcome === '200' && attempt.key === null) entry.rejected = true;
  entry.times.push({ sentAt: attempt.sentAt, endedAt: attempt.endedAt });
}

function emptyEntry(name: string, { workspaceId, key }: Attempt): Entry {
  return {
    name,
    workspaceId,
    isKeyed: key !== null,
    bodies: new Map(),
    invalidBodies: new Set(),
    accepted: new Set(),
    rejected: false,
    times: [],
  };
}
