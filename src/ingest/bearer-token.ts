import { sha256Key } from '../domain/secrets/sha256.ts';
import { isWellFormedToken } from '../domain/token.ts';
import type { Directory, TokenEntry } from './directory/directory.ts';
import { type HeaderValue, repeated } from './headers.ts';
import { type Authenticated, type Received, Rejection } from './submission.ts';

// Made once: a flood of bad tokens should not even cost an allocation.
const tokenMissing = new Rejection('token_missing');
const tokenMalformed = new Rejection('token_malformed');
const tokenUnknown = new Rejection('token_unknown');

const usualScheme = 'Bearer ';
const bearerShape = /^Bearer +(\S+)$/i;

/** The token the request names, whether or not it is still good. */
export function findToken(authorization: HeaderValue, directory: Directory): TokenEntry | Rejection {
  if (authorization === repeated) return new Rejection('token_malformed', { repeated: true });
  const token = authorization === undefined ? undefined : bearerToken(authorization);
  if (token === undefined) return tokenMissing;
  if (!isWellFormedToken(token)) return tokenMalformed;
  return directory.tokenByHash(sha256Key(token)) ?? tokenUnknown;
}

/** Nearly all spell it the usual way; the others are read by the rule. */
function bearerToken(authorization: string): string | undefined {
  const isUsual = authorization.startsWith(usualScheme) && !authorization.includes(' ', usualScheme.length);
  const usual = isUsual ? authorization.slice(usualScheme.length) : '';
  return usual !== '' ? usual : bearerShape.exec(authorization)?.[1];
}

/** Surface 1a: token, then workspace, then form. */
export function authenticateBearer(received: Received, directory: Directory): Authenticated | Rejection {
  const { identity, at } = received.arrival;
  const { token } = identity;
  if (token === null) return identity.fault ?? tokenUnknown;
  if (token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= at)) return ended(token);
  if (token.type !== 'server') return new Rejection('token_wrong_type', { type: token.type });

  const workspace = directory.workspace(token.workspaceId);
  if (workspace === null || workspace.isSuspended) return new Rejection('workspace_suspended');
  const form = directory.form(token.formId);
  if (form === null || form.isDeleted) return new Rejection('form_unknown');
  if (!form.isActive) return new Rejection('form_inactive');
  return { received, workspace, form, token, signature: null };
}

/** Three ways to end, one reason; the owner learns which it was. */
function ended({ revokedAt, expiresAt, replacedBy }: TokenEntry): Rejection {
  const endedAt = revokedAt ?? expiresAt ?? 0;
  if (replacedBy !== null)
    return new Rejection('token_revoked', {
      replaced_by: replacedBy,
      grace_ended_at: new Date(endedAt).toISOString(),
    });
  return new Rejection('token_revoked', revokedAt === null ? { expired: true } : {});
}
