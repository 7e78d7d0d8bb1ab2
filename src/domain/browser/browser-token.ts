import type { KeyObject } from 'node:crypto';
import { tokenPrefixes } from '../token.ts';
import { type ProofKind, proofKinds, tokenSeconds } from './protection.ts';
import { numberField, readNumber, readUuid, uuidField } from './signed/field-values.ts';
import { isSignedWith, readSignedFields, type SignedFields, signFields } from './signed/signed-fields.ts';

/** What a browser token says. Times are in seconds since 1970. */
export interface BrowserClaims {
  readonly workspaceId: string;
  readonly formId: string;
  readonly epoch: number;
  readonly origin: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Names this token: it may create one lead. */
  readonly jti: Buffer;
  /** SHA-256 of the only body that may be sent with it; null if it may carry any. */
  readonly bodyHash: Buffer | null;
  readonly proof: ProofKind;
}

/** A token whose claims are not checked yet. */
export interface ReadToken {
  /** Names the key that it must be signed with. */
  readonly kid: string;
  readonly claims: BrowserClaims;
  readonly signed: SignedFields;
}

export interface NamedKey {
  readonly kid: string;
  readonly key: KeyObject;
}

const version = '1';
export const jtiBytes = 16;
export const bodyHashBytes = 32;
const fieldCount = 11;

export function mintBrowserToken(claims: BrowserClaims, { kid, key }: NamedKey): string {
  const { workspaceId, formId, epoch, origin, issuedAt, expiresAt, jti, bodyHash, proof } = claims;
  const fields = [
    Buffer.from(kid),
    Buffer.from(version),
    uuidField(workspaceId),
    uuidField(formId),
    numberField(epoch),
    Buffer.from(origin),
    numberField(issuedAt),
    numberField(expiresAt),
    jti,
    bodyHash ?? Buffer.alloc(0),
    Buffer.from(proof),
  ];
  return tokenPrefixes.browser + signFields(fields, key);
}

/** Null for a text that cannot be a token. Whether it is one shows `isTokenSignedWith`. */
export function readBrowserToken(token: string): ReadToken | null {
  if (!token.startsWith(tokenPrefixes.browser)) return null;
  const signed = readSignedFields(token.slice(tokenPrefixes.browser.length), fieldCount);
  if (signed === null) return null;
  const [kid, itsVersion, workspace, form, epochField, origin, issued, expires, jti, body, proofField] =
    signed.fields;
  const workspaceId = readUuid(workspace);
  const formId = readUuid(form);
  const epoch = readNumber(epochField);
  const issuedAt = readNumber(issued);
  const expiresAt = readNumber(expires);
  const proof = proofKinds.find((kind) => kind === proofField?.toString('latin1'));
  if (workspaceId === null || formId === null || epoch === null || proof === undefined) return null;
  if (issuedAt === null || expiresAt === null || expiresAt < issuedAt) return null;
  if (expiresAt - issuedAt > tokenSeconds.max || itsVersion?.toString('latin1') !== version) return null;
  if (jti?.length !== jtiBytes || (body?.length !== 0 && body?.length !== bodyHashBytes)) return null;
  return {
    kid: kid?.toString('latin1') ?? '',
    signed,
    claims: {
      workspaceId,
      formId,
      epoch,
      origin: origin?.toString('utf8') ?? '',
      issuedAt,
      expiresAt,
      jti,
      bodyHash: body.length === 0 ? null : body,
      proof,
    },
  };
}

export function isTokenSignedWith({ signed }: ReadToken, key: KeyObject): boolean {
  return isSignedWith(signed, key);
}
