import type { IncomingMessage } from 'node:http';
import { isWellFormedApiKey } from '../domain/api-key/api-key.ts';
import type { Surface } from '../domain/surface.ts';
import { isWellFormedToken, tokenKey } from '../domain/token.ts';
import type { Destination } from '../http/paths.ts';
import { nextRequestId } from '../http/request-id.ts';
import type { Clock } from '../time/clock.ts';
import type { Directory, FormEntry, TokenEntry } from './directory/directory.ts';
import { type HeaderReader, type HeaderValue, type IngestHeaders, repeated } from './headers.ts';
import { Rejection } from './rejection.ts';

export type IngestDestination = Extract<Destination, { kind: 'server' | 'webhook' }>;

/** Who the request claims to come from, proven or not. Their diagnostics show its rejection. */
export interface Identity {
  readonly token: TokenEntry | null;
  /** Why there is no token on the token surface. */
  readonly rejection: Rejection | null;
  /** Forms with the slug that are not deleted; more than one makes it ambiguous. Empty on the token surface. */
  readonly forms: readonly FormEntry[];
}

export interface ArriveDeps {
  readonly directory: Directory;
  readonly readHeaders: HeaderReader;
  readonly clock: Clock;
}

/** The headers of a request, before its body. */
class Arrival {
  declare protected readonly stage: 'arrived';
  readonly requestId: string;
  readonly at: number;
  readonly surface: Surface;
  readonly method: string;
  readonly headers: IngestHeaders;
  readonly identity: Identity;

  constructor(request: IncomingMessage, destination: IngestDestination, deps: ArriveDeps) {
    this.requestId = nextRequestId();
    this.at = deps.clock.now();
    this.surface = destination.kind;
    this.method = request.method ?? '';
    this.headers = deps.readHeaders(request);
    this.identity = identify(destination, this.headers, deps.directory);
  }
}

export type { Arrival };

export function arrive(request: IncomingMessage, destination: IngestDestination, deps: ArriveDeps): Arrival {
  return new Arrival(request, destination, deps);
}

// Created once, so that a flood of bad tokens costs no allocations.
const tokenMissing = new Rejection('token_missing');
const tokenMalformed = new Rejection('token_malformed');
const tokenUnknown = new Rejection('token_unknown');
const apiKeyInstead = new Rejection('token_wrong_type', { type: 'api_key' });

const usualScheme = 'Bearer ';
const bearerShape = /^Bearer +(\S+)$/i;

/** Needs no body, so that even early rejections reach the right diagnostics. */
function identify(destination: IngestDestination, headers: IngestHeaders, directory: Directory): Identity {
  if (destination.kind === 'server') {
    const found = findToken(headers.authorization, directory);
    return found instanceof Rejection
      ? { token: null, rejection: found, forms: [] }
      : { token: found, rejection: null, forms: [] };
  }
  const { slug } = destination;
  return { token: null, rejection: null, forms: slug === null ? [] : directory.formsBySlug(slug) };
}

/** The token that the request carries, whether or not it is still valid. */
function findToken(authorization: HeaderValue, directory: Directory): TokenEntry | Rejection {
  if (authorization === repeated) return new Rejection('token_malformed', { repeated: true });
  const token = authorization === undefined ? undefined : bearerToken(authorization);
  if (token === undefined) return tokenMissing;
  if (!isWellFormedToken(token)) return isWellFormedApiKey(token) ? apiKeyInstead : tokenMalformed;
  return directory.tokenByHash(tokenKey(token)) ?? tokenUnknown;
}

/** Nearly all senders write `Bearer <token>`; the regular expression is for the others. */
function bearerToken(authorization: string): string | undefined {
  const isUsual = authorization.startsWith(usualScheme) && !authorization.includes(' ', usualScheme.length);
  const usual = isUsual ? authorization.slice(usualScheme.length) : '';
  return usual !== '' ? usual : bearerShape.exec(authorization)?.[1];
}
