import { hash, type KeyObject } from 'node:crypto';
import { bodyHashBytes, jtiBytes, type NamedKey } from './browser-token.ts';
import { numberField, readNumber, readUuid, uuidField } from './signed/field-values.ts';
import { isSignedWith, readSignedFields, type SignedFields, signFields } from './signed/signed-fields.ts';

/** What a page must solve. It is signed and given to the page; nothing is kept here until it is tried. */
export interface Challenge {
  readonly workspaceId: string;
  readonly formId: string;
  readonly origin: string;
  /** Hex. Each is tried once. */
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly bits: number;
  /** Milliseconds since 1970. It is valid for `challengeSeconds` from then. */
  readonly issuedAt: number;
  readonly bodyHash: Buffer;
}

export interface ReadChallenge {
  readonly kid: string;
  readonly challenge: Challenge;
  readonly signed: SignedFields;
}

const version = '1';
const fieldCount = 11;

export function signChallenge(challenge: Challenge, { kid, key }: NamedKey): string {
  const { workspaceId, formId, origin, nonce, salt, cost, bits, issuedAt, bodyHash } = challenge;
  const fields = [
    Buffer.from(kid),
    Buffer.from(version),
    uuidField(workspaceId),
    uuidField(formId),
    Buffer.from(origin),
    Buffer.from(nonce),
    Buffer.from(salt),
    numberField(cost),
    numberField(bits),
    numberField(issuedAt),
    bodyHash,
  ];
  return signFields(fields, key);
}

export function readChallenge(text: string): ReadChallenge | null {
  const signed = readSignedFields(text, fieldCount);
  if (signed === null) return null;
  const [kid, itsVersion, workspace, form, origin, nonce, salt, costField, bitsField, issued, bodyHash] =
    signed.fields as Buffer[] & { length: 11 };
  const workspaceId = readUuid(workspace);
  const formId = readUuid(form);
  const [cost, bits, issuedAt] = [costField, bitsField, issued].map(readNumber);
  if (workspaceId === null || formId === null || cost == null || bits == null || issuedAt == null)
    return null;
  if (itsVersion?.toString('latin1') !== version || bodyHash?.length !== bodyHashBytes) return null;
  return {
    kid: kid?.toString('latin1') ?? '',
    signed,
    challenge: {
      workspaceId,
      formId,
      origin: origin?.toString('utf8') ?? '',
      nonce: nonce?.toString('latin1') ?? '',
      salt: salt?.toString('latin1') ?? '',
      cost,
      bits,
      issuedAt,
      bodyHash,
    },
  };
}

export function isChallengeSignedWith({ signed }: ReadChallenge, key: KeyObject): boolean {
  return isSignedWith(signed, key);
}

/** The same on every process: one solution makes one token, however often it is exchanged. */
export function jtiOf({ nonce, formId }: Challenge): Buffer {
  return hash('sha256', `leadgate browser token ${formId} ${nonce}`, 'buffer').subarray(0, jtiBytes);
}
