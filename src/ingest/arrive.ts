import type { IncomingMessage } from 'node:http';
import { looksLikeApiKey } from '../domain/api-key/api-key.ts';
import type { Surface } from '../domain/surface.ts';
import { isWellFormedToken, tokenPrefixes } from '../domain/token.ts';
import { type Addressed, addressOf, networkOf } from '../http/client-address.ts';
import type { LeadDestination } from '../http/listener.ts';
import { nextRequestId } from '../http/request-id.ts';
import type { Clock } from '../time/clock.ts';
import {
  type ClaimDeps,
  claimByPublicKey,
  claimByToken,
  type PageClaim,
} from './browser/submissions/page-claim.ts';
import { readPageHeaders } from './browser/submissions/page-headers.ts';
import type { Directory, FormEntry, TokenEntry } from './directory/directory.ts';
import { type HeaderReader, type HeaderValue, type IngestHeaders, repeated } from './headers.ts';
import { Rejection } from './rejection.ts';

export type IngestDestination = LeadDestination;

/** What is known of a request before its body, whoever read it. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'> & Addressed;

/** Who the request claims to come from, proven or not. Their diagnostics show its rejection. */
export interface Identity {
  /** On the browser surface, one that does not belong there. */
  readonly token: TokenEntry | null;
  /** Why there is no token on the token surface. */
  readonly rejection: Rejection | null;
  /**
   * Forms with the slug that are not deleted; more than one makes it ambiguous. On the browser surface, the form that the
   * claim names. Empty on the token surface.
   */
  readonly forms: readonly FormEntry[];
  /**
   * The slug if no form uses it, but forms did. If it is an alias, `forms` has the one that it leads to. Otherwise it opens
   * nothing: only the diagnostics of these forms show it.
   */
  readonly formerSlug: FormerSlug | null;
  /** Null on the other surfaces. */
  readonly page: PageClaim | null;
}

export interface FormerSlug {
  readonly slug: string;
  /** That gave it up and are not deleted: at least one, and more if workspaces shared it. */
  readonly forms: readonly FormEntry[];
}

export interface ArriveDeps extends ClaimDeps {
  readonly readHeaders: HeaderReader;
  readonly clock: Clock;
  /** Proxies in front of the service, which tell the address of the sender. */
  readonly proxyCount: number;
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
  /** As they came, for the few requests of which they are recorded. */
  readonly raw: Pick<IncomingMessage, 'url' | 'rawHeaders'>;
  /** Where a request with a token came from; empty for others, of which nobody keeps it. */
  readonly address: string;

  constructor(request: RequestHead, destination: IngestDestination, deps: ArriveDeps) {
    this.requestId = nextRequestId();
    this.at = deps.clock.now();
    this.surface = destination.kind === 'no-script' ? 'browser' : destination.kind;
    this.method = request.method ?? '';
    this.headers = deps.readHeaders(request);
    this.raw = request;
    this.identity =
      this.surface === 'browser'
        ? identifyPage(request, destination, this, deps)
        : identify(destination, this, deps.directory);
    this.address = this.identity.token === null ? '' : addressOf(request, deps.proxyCount);
  }
}

export type { Arrival };

export function arrive(request: RequestHead, destination: IngestDestination, deps: ArriveDeps): Arrival {
  return new Arrival(request, destination, deps);
}

// Created once, so that a flood of bad tokens costs no allocations.
const tokenMissing = new Rejection('token_missing');
const tokenMalformed = new Rejection('token_malformed');
const tokenUnknown = new Rejection('token_unknown');
const apiKeyInstead = new Rejection('token_wrong_type', { type: 'api_key' });
const browserTokenInstead = new Rejection('token_wrong_type', { type: 'browser' });

const usualScheme = 'Bearer ';
const bearerShape = /^Bearer +(\S+)$/i;

/** Needs no body, so that even early rejections reach the right diagnostics. */
function identify(
  destination: IngestDestination,
  { headers, at }: Pick<Arrival, 'headers' | 'at'>,
  directory: Directory,
): Identity {
  if (destination.kind === 'server') {
    const found = findToken(headers.authorization, at, directory);
    return found instanceof Rejection
      ? { token: null, rejection: found, forms: [], formerSlug: null, page: null }
      : { token: found, rejection: null, forms: [], formerSlug: null, page: null };
  }
  const slug = destination.kind === 'webhook' ? destination.slug : null;
  const forms = slug === null ? [] : directory.formsBySlug(slug);
  const formerSlug = slug === null || forms.length > 0 ? null : findFormerSlug(slug, directory);
  const alias = formerSlug === null ? null : directory.formByAlias(formerSlug.slug, at);
  return { token: null, rejection: null, forms: alias === null ? forms : [alias], formerSlug, page: null };
}

function findFormerSlug(slug: string, directory: Directory): FormerSlug | null {
  const forms = directory.formsByFormerSlug(slug);
  return forms.length === 0 ? null : { slug, forms };
}

function identifyPage(
  request: RequestHead,
  destination: IngestDestination,
  { headers, at }: Pick<Arrival, 'headers' | 'at'>,
  deps: ArriveDeps,
): Identity {
  const pageHeaders = readPageHeaders(request);
  if (destination.kind === 'no-script') {
    const network = networkOf(addressOf(request, deps.proxyCount));
    const page = claimByPublicKey(destination.publicKey, network, pageHeaders, deps.directory);
    return { ...ofPage(page), token: null };
  }
  const { authorization } = headers;
  const isOnce = authorization !== undefined && authorization !== repeated;
  const bearer = isOnce ? bearerToken(authorization) : authorization === repeated ? null : undefined;
  const { page, token } = claimByToken(bearer, pageHeaders, at, deps);
  return { ...ofPage(page), token };
}

function ofPage(page: PageClaim): Omit<Identity, 'token'> {
  return { rejection: null, forms: page.form === null ? [] : [page.form], formerSlug: null, page };
}

/** The token that the request carries, whether or not it is still valid. */
function findToken(authorization: HeaderValue, at: number, directory: Directory): TokenEntry | Rejection {
  if (authorization === repeated) return new Rejection('token_malformed', { repeated: true });
  const token = authorization === undefined ? undefined : bearerToken(authorization);
  if (token === undefined) return tokenMissing;
  const inUse = directory.tokenInUse(token, at);
  if (inUse !== null) return inUse;
  return isWellFormedToken(token) ? (directory.findToken(token) ?? unknown(token)) : notWellFormed(token);
}

/** Whatever begins like another kind of token is one, truncated or not. */
function notWellFormed(token: string): Rejection {
  if (looksLikeApiKey(token)) return apiKeyInstead;
  return token.startsWith(tokenPrefixes.browser) ? browserTokenInstead : tokenMalformed;
}

function unknown(token: string): Rejection {
  return token.startsWith(tokenPrefixes.browser) ? browserTokenInstead : tokenUnknown;
}

/** Nearly all senders write `Bearer <token>`; the regular expression is for the others. */
function bearerToken(authorization: string): string | undefined {
  const isUsual = authorization.startsWith(usualScheme) && !authorization.includes(' ', usualScheme.length);
  const usual = isUsual ? authorization.slice(usualScheme.length) : '';
  return usual !== '' ? usual : bearerShape.exec(authorization)?.[1];
}
