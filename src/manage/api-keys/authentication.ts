import type pg from 'pg';
import type { Logger } from 'pino';
import type { Access } from '../../contract/call.ts';
import { type FoundApiKey, findApiKey, markApiKeyUsed } from '../../db/workspaces/api-keys.ts';
import { hashApiKey, isWellFormedApiKey, looksLikeApiKey } from '../../domain/api-key/api-key.ts';
import type { Scope } from '../../domain/api-key/scope.ts';
import { type Clock, minuteMs, secondMs } from '../../time/clock.ts';
import type { CallRate } from '../calls/call-rate.ts';
import { Problem } from '../calls/problem.ts';

/** A program with a valid key of a workspace. */
export interface ApiKeyPrincipal {
  readonly kind: 'api_key';
  readonly key: FoundApiKey;
}

export interface ApiKeyDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly apiKeyRate: CallRate;
  readonly log: Logger;
}

export const apiKeyCallsPerMinute = 600;

const bearer = /^Bearer +(\S+) *$/i;

/** The API key of an Authorization header; null if it has something else. */
export function apiKeyIn(authorization: string): string | null {
  const sent = bearer.exec(authorization)?.[1];
  return sent !== undefined && looksLikeApiKey(sent) ? sent : null;
}

/**
 * Read from the database for each call, so that a revoked key has no access from the next call on, at any instance. Null for a key
 * that does not exist. Only those who have a key learn that it has ended.
 */
export async function authenticateApiKey(
  { pool, clock, apiKeyRate, log }: ApiKeyDeps,
  sent: string,
): Promise<ApiKeyPrincipal | null> {
  const key = isWellFormedApiKey(sent) ? await findApiKey(pool, hashApiKey(sent)) : null;
  if (key === null) return null;
  const now = clock.now();
  if (key.revokedAt !== null) throw unauthorized('The API key was revoked.');
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now)
    throw unauthorized('The API key has expired.');
  requireRate(apiKeyRate, key.id, now);
  const minuteAgo = now - minuteMs;
  if (key.lastUsedAt === null || key.lastUsedAt.getTime() <= minuteAgo) {
    // Nobody is turned away because it could not be written.
    await markApiKeyUsed(pool, key.id, new Date(now), new Date(minuteAgo)).catch((error) =>
      log.warn({ err: error, api_key_id: key.id }, 'use of an API key not written'),
    );
  }
  return { kind: 'api_key', key };
}

function requireRate(rate: CallRate, keyId: string, now: number): void {
  if (rate.take(keyId, now)) return;
  const waitSeconds = Math.ceil((minuteMs - (now % minuteMs)) / secondMs);
  throw new Problem(
    'too_many_calls',
    `An API key can make ${apiKeyCallsPerMinute} calls a minute. Wait ${waitSeconds} s.`,
    { headers: { 'retry-after': String(waitSeconds) } },
  );
}

/** Denies what the declaration does not open to keys. */
export function requireScopes({ key }: ApiKeyPrincipal, { scope }: Access): void {
  if (scope === undefined) {
    throw new Problem('forbidden', 'API keys cannot do this, whatever their scopes. Sign in.');
  }
  if (scope === 'any') return;
  const missing = [scope].flat().filter((one) => !key.scopes.includes(one));
  if (missing.length > 0) throw scopeMissing(missing);
}

/** For an input that needs a further scope. Everyone else may use it by their role. */
export function requireScope(principal: Caller, scope: Scope): void {
  if (!hasScope(principal, scope)) throw scopeMissing([scope]);
}

export function hasScope(principal: Caller, scope: Scope): boolean {
  return principal.kind !== 'api_key' || principal.key.scopes.includes(scope);
}

type Caller = ApiKeyPrincipal | { readonly kind: 'operator_key' | 'person' | 'nobody' };

function scopeMissing(scopes: readonly Scope[]): Problem {
  const [noun, pronoun] = scopes.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
  return new Problem(
    'scope_missing',
    `This needs the ${noun} ${scopes.join(' and ')}. Create an API key that has ${pronoun}.`,
  );
}

export function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
}
