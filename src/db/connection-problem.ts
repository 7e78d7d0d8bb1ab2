import { isForbidden, isRefusedLogin } from './errors.ts';

/** Each pattern matches the code and message of an error of a new connection; the text says what to do about it. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/^3D/, 'Create the database, or correct its name.'],
  [/^28.*no encryption$/, 'Add the parameter sslmode=verify-full.'],
  [/^28|client password must be a/, 'Correct the user and the password.'],
  [/not support SSL/, 'Remove sslmode, or turn on TLS on the server.'],
  [
    /^(?:CERT|DEPTH_ZERO|ERR_TLS|SELF_SIGNED|UNABLE_TO)_/,
    'Add the parameter sslrootcert with the certificate of its authority, and use the host name in its certificate.',
  ],
];

/** Why PostgreSQL is closed to us until someone changes it or DATABASE_URL, and what to do. Null for other errors. */
export function refusalText(error: unknown): string | null {
  const { code = '', message } = error as { readonly code?: unknown; readonly message: string };
  if (isForbidden(error))
    return `DATABASE_URL: its role lacks a permission: ${message}. docs/configuration.md lists what it needs.`;
  const fix = fixes.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  if (fix === undefined) return null;
  const what = isRefusedLogin(error) ? 'PostgreSQL refused the login' : 'The connection to PostgreSQL failed';
  return `DATABASE_URL: ${what}: ${message}. ${fix}`;
}

export function noResponseText({ message }: Error): string {
  return `PostgreSQL does not respond: ${message || 'no connection'}. Start it, or correct DATABASE_URL.`;
}
