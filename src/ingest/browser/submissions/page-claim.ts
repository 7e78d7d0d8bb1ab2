import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { looksLikeApiKey } from '../../../domain/api-key/api-key.ts';
import {
  type BrowserClaims,
  isTokenSignedWith,
  type ReadToken,
  readBrowserToken,
} from '../../../domain/browser/browser-token.ts';
import { type DummyKind, dummyFormIds, dummyWorkspaceId } from '../../../domain/browser/dummy-keys.ts';
import { publicKeyPrefix } from '../../../domain/browser/public-key.ts';
import { mintSecretPrefix } from '../../../domain/browser/secrets.ts';
import { type BrowserSigningKeys, mintSecretKey } from '../../../domain/browser/signing-keys.ts';
import { isWellFormedToken, tokenPrefixes } from '../../../domain/token.ts';
import type { Directory, FormEntry, TokenEntry } from '../../directory/directory.ts';
import { Rejection } from '../../rejection.ts';
import type { PageHeaders } from './page-headers.ts';

/** Who a web page claims to send for, as far as the headers and the path show. */
export interface PageClaim {
  readonly headers: PageHeaders;
  /** Known before the body is read; the checks of method, size and encoding come first all the same. */
  readonly rejection: Rejection | null;
  /** Whose owner sees the request. Anyone can write any token, so it is set only if the signature is right. */
  readonly form: FormEntry | null;
  /** Of a token whose signature is right; null without one. */
  readonly token: SignedClaims | null;
  /** Of a token that belongs to no form. */
  readonly dummy: DummyKind | null;
  /** Without a token, from a page without script. */
  readonly noScript: NoScriptClaim | null;
}

export interface SignedClaims extends BrowserClaims {
  /** True when it was signed with a mint secret whose overlap has ended. */
  readonly isByEndedSecret: boolean;
}

export interface NoScriptClaim {
  readonly network: string;
  /** Where the visitor goes next; null if the form takes nothing without script. */
  readonly thanksUrl: string | null;
}

export interface ClaimDeps {
  readonly directory: Directory;
  readonly browserKeys: BrowserSigningKeys;
}

const tokenMissing = new Rejection('token_missing');
const tokenMalformed = new Rejection('token_malformed');
const tokenRepeated = new Rejection('token_malformed', { repeated: true });
const tokenUnknown = new Rejection('token_unknown');
const formUnknown = new Rejection('form_unknown');
const formMismatch = new Rejection('token_form_mismatch');

// Without a key the same work is done with this one, so that the response time does not reveal which keys there are.
const dummyKey = createSecretKey(randomBytes(32));

/** A token found where a browser token belongs, and the ingest token that was sent instead. */
export interface FoundClaim {
  readonly page: PageClaim;
  readonly token: TokenEntry | null;
}

/** `bearer` is null if the header was sent twice. Computes one HMAC for every token that can be read. */
export function claimByToken(
  bearer: string | undefined | null,
  headers: PageHeaders,
  at: number,
  deps: ClaimDeps,
): FoundClaim {
  if (bearer === undefined) return rejected(headers, tokenMissing);
  if (bearer === null) return rejected(headers, tokenRepeated);
  const otherKind = otherKindOf(bearer);
  if (otherKind !== null) {
    // An ingest token or a mint secret in a web page is no secret any more: its owner must see it.
    const token = isWellFormedToken(bearer) ? deps.directory.findToken(bearer) : null;
    const { page } = rejected(headers, new Rejection('token_wrong_type', { type: otherKind }));
    const form =
      otherKind === 'mint_secret' ? deps.directory.formByMintSecret(mintSecretKey(bearer).kid) : null;
    return { page: { ...page, form }, token };
  }
  const read = readBrowserToken(bearer);
  if (read === null) return rejected(headers, tokenMalformed);
  const signer = signerOf(read, at, deps);
  const isSigned = isTokenSignedWith(read, signer?.key ?? dummyKey);
  if (signer === null || !isSigned) return rejected(headers, tokenUnknown);
  return { page: signedClaim(read, signer, headers, deps.directory), token: null };
}

function otherKindOf(bearer: string): string | null {
  if (bearer.startsWith(tokenPrefixes.server)) return 'server';
  if (looksLikeApiKey(bearer)) return 'api_key';
  if (bearer.startsWith(mintSecretPrefix)) return 'mint_secret';
  return bearer.startsWith(publicKeyPrefix) ? 'public_key' : null;
}

function rejected(headers: PageHeaders, rejection: Rejection): FoundClaim {
  const page = { headers, rejection, form: null, token: null, dummy: null, noScript: null };
  return { page, token: null };
}

interface Signer {
  readonly key: KeyObject;
  /** The form whose mint secret it is; null for keys of this service. */
  readonly form: FormEntry | null;
  readonly isEnded: boolean;
}

/** The key that the token must be signed with. Keys are derived only for workspaces that exist. */
function signerOf(
  { kid, claims }: ReadToken,
  at: number,
  { directory, browserKeys }: ClaimDeps,
): Signer | null {
  const form = directory.formByMintSecret(kid);
  const secret = form?.browser?.mintSecrets.find((one) => one.kid === kid);
  if (secret !== undefined) return { key: secret.key, form, isEnded: at >= secret.validUntil };
  const { workspaceId } = claims;
  if (workspaceId !== dummyWorkspaceId && directory.workspace(workspaceId) === null) return null;
  const key = browserKeys.find('tokens', workspaceId, kid);
  return key === null ? null : { key, form: null, isEnded: false };
}

function signedClaim(
  { claims }: ReadToken,
  signer: Signer,
  headers: PageHeaders,
  directory: Directory,
): PageClaim {
  const token = { ...claims, isByEndedSecret: signer.isEnded };
  const base = { headers, token, dummy: null, noScript: null };
  if (signer.form === null && claims.workspaceId === dummyWorkspaceId) {
    const dummy = dummyKindOfForm(claims.formId);
    return { ...base, form: null, dummy, rejection: dummy === null ? formUnknown : null };
  }
  const named = directory.form(claims.formId);
  const isOwn = named !== null && named.workspaceId === claims.workspaceId;
  // The owner of the secret has signed it; nobody else has anything to do with it.
  const form = signer.form ?? (isOwn ? named : null);
  if (named === null || named.isDeleted) return { ...base, form, rejection: formUnknown };
  const isMatch = isOwn && (signer.form === null || signer.form.id === named.id);
  return { ...base, form, rejection: isMatch ? null : formMismatch };
}

function dummyKindOfForm(formId: string): DummyKind | null {
  const kinds = Object.keys(dummyFormIds) as DummyKind[];
  return kinds.find((kind) => dummyFormIds[kind] === formId) ?? null;
}

/** The key in the path is no secret: it only says which form is meant, like the slug of a webhook. */
export function claimByPublicKey(
  publicKey: string,
  network: string,
  headers: PageHeaders,
  directory: Directory,
): PageClaim {
  const form = directory.formByPublicKey(publicKey);
  const { isEnabled = false, hasNoScript = false, thanksUrl = null } = form?.browser ?? {};
  const isOpen = isEnabled && hasNoScript && thanksUrl !== null;
  const rejection = form === null ? formUnknown : isOpen ? null : new Rejection('browser_disabled');
  const noScript = { network, thanksUrl: isOpen ? thanksUrl : null };
  return { headers, rejection, form, token: null, dummy: null, noScript };
}
