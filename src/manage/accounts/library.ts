import { randomUUID } from 'node:crypto';
import { betterAuth } from 'better-auth';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { passwordCharactersMax, passwordCharactersMin } from '../../domain/secrets/password.ts';
import { dayMs } from '../../time/clock.ts';
import { addressHeader, authPath, sessionCookieName } from './names.ts';
import type { PasswordHasher } from './passwords/password-hash.ts';

export interface LibraryOptions {
  readonly kysely: Kysely<unknown>;
  readonly hasher: PasswordHasher;
  readonly origin: string;
  readonly secret: string;
  readonly log: Logger;
  now(): number;
}

const sessionIdleMs = 14 * dayMs;
const sessionRenewedEveryMs = dayMs;
const seconds = (ms: number) => ms / 1000;

/** better-auth, only for passwords and sessions. Only accounts.ts calls it, and loads it when needed. */
export function openLibrary({ kysely, hasher, origin, secret, log, now }: LibraryOptions) {
  const secure = origin.startsWith('https:');
  return betterAuth({
    baseURL: origin,
    basePath: authPath,
    secret,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    onAPIError: { throw: true },
    logger: { level: 'error', log: (_level, message) => log.debug({ message }, 'account library message') },
    database: { db: kysely, type: 'postgres', transaction: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordCharactersMin,
      maxPasswordLength: passwordCharactersMax,
      password: {
        hash: (password) => hasher.hash(password),
        verify: ({ hash, password }) => hasher.verify(hash, password),
      },
    },
    user: {
      modelName: 'people',
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: { operator: { type: 'boolean', required: false, input: false, defaultValue: false } },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'person_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      // Every session begins with a password. Renewing a session does not write this.
      additionalFields: {
        passwordCheckedAt: {
          type: 'date',
          required: false,
          input: false,
          fieldName: 'password_checked_at',
          defaultValue: () => new Date(now()),
        },
      },
      expiresIn: seconds(sessionIdleMs),
      updateAge: seconds(sessionRenewedEveryMs),
      freshAge: 0,
      // A cached session would outlive its revocation.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'person_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: 'leadgate',
      cookies: { session_token: { name: sessionCookieName(origin) } },
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: () => randomUUID(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
  });
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
