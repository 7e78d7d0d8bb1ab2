import { isUtf8 } from 'node:buffer';
import type { NewHeld } from '../../db/held/held-database.ts';
import { type HeldClass, heldClassOf } from '../../domain/held/held-class.ts';
import { type RecordedHeader, sealRequest } from '../../domain/held/held-request.ts';
import { personHashesOf } from '../../domain/held/person-hashes.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import { shapeOf } from '../../domain/lead/body-shape.ts';
import { hashKey, parseIdempotencyKey } from '../../domain/lead/idempotency.ts';
import { depthMax, type LeadFields, withoutByteOrderMark } from '../../domain/lead/lead.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { parseSignature, parseTimestamp } from '../../domain/signature.ts';
import { shardOf } from '../../domain/workspace.ts';
import { type HeaderValue, repeated } from '../headers.ts';
import type { KeptHeaders, WaitingRequest } from './waiting-held.ts';

/** A waiting request whose body was read. */
export interface ReadRequest extends WaitingRequest {
  readonly class: HeldClass;
  readonly personHashes: readonly Buffer[];
}

const contentTypeCharactersMax = 512;
/** Many more than are searched for persons. Strangers could hold up requests with bodies that take long to parse. */
export const unprovenValuesMax = 5_000;

/** Reads the body, which decides whether it can ever be a lead. */
export function readWaiting(request: WaitingRequest, hashes: BodyHashes): ReadRequest {
  const { reason, isProven, body, form } = request;
  const fields = fieldsIn(body, isProven ? Number.POSITIVE_INFINITY : unprovenValuesMax);
  const byReason = heldClassOf(reason, isProven) ?? 'D';
  return {
    ...request,
    class: isProven && fields === null ? 'C' : byReason,
    personHashes: fields === null ? [] : personHashesOf(hashes, form.workspaceId, fields),
  };
}

/** Null for a body that is no lead: the same bodies as in parseLead. Also for one with more values than that. */
export function fieldsIn(body: Buffer, valuesMax: number): LeadFields | null {
  const bytes = withoutByteOrderMark(body);
  // Before it is parsed, which takes much longer.
  const { depth, values } = shapeOf(body);
  if (depth > depthMax || values > valuesMax || !isUtf8(bytes)) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value !== 'object' || value === null || Array.isArray(value) ? null : (value as LeadFields);
  } catch {
    return null;
  }
}

export interface SealDeps {
  readonly secretBox: SecretBox;
  readonly bodyHashes: BodyHashes;
}

export function newHeld(request: ReadRequest, { secretBox, bodyHashes }: SealDeps): NewHeld {
  const { id, form, headers, sentAs, body, surface, at } = request;
  const { workspaceId } = form;
  const { contentType } = headers;
  const bodyHash = bodyHashes.of(workspaceId, body);
  return {
    shard: shardOf(workspaceId),
    workspaceId,
    id,
    formId: form.id,
    tokenId: request.tokenId,
    slug: surface === 'webhook' ? form.slug : null,
    surface,
    reason: request.reason,
    class: request.class,
    receivedAt: new Date(at),
    requestId: request.requestId,
    sentAt: surface === 'webhook' ? sentAt(headers) : null,
    bodyBytes: body.length,
    bodyHash,
    signatureHash: signatureHash(request, bodyHash, bodyHashes),
    keyHash: request.keyHash ?? keyHash(headers),
    personHashes: request.personHashes,
    sender: request.call?.sender ?? null,
    sealed: sealRequest(secretBox, workspaceId, id, {
      timestamp: recorded(headers.timestamp),
      signature: recorded(headers.signature),
      contentType: typeof contentType === 'string' ? contentType.slice(0, contentTypeCharactersMax) : null,
      ...sentAs,
      bodyBytes: body.length,
      body,
    }),
    expiresAt: new Date(request.expiresAt),
  };
}

function sentAt({ timestamp }: KeptHeaders): Date | null {
  const seconds = typeof timestamp === 'string' ? parseTimestamp(timestamp) : null;
  return seconds === null ? null : new Date(seconds * 1000);
}

/**
 * Of everything that was signed, and of the signature. Not of the signature alone: someone who has seen one could send it
 * with another body, and the request that it belongs to would be taken for a copy. On the browser surface the token is what
 * was signed: a visitor may send one as often as they like, and it is kept once.
 */
function signatureHash(
  { form, headers, surface, reason, keyHash: pageKey, call }: WaitingRequest,
  bodyHash: Buffer,
  hashes: BodyHashes,
): Buffer | null {
  const { timestamp, signature } = headers;
  // A retry of the same body under the same key is kept once, however it is signed.
  if (reason === 'idempotency_key_reused')
    return hashes.of(
      form.workspaceId,
      Buffer.concat([Buffer.from('\0key '), keyHash(headers) ?? bodyHash, bodyHash]),
    );
  if (call)
    return hashes.of(form.workspaceId, Buffer.concat([Buffer.from(`\0call ${form.id} `), call.digest]));
  if (surface === 'browser' && pageKey)
    return hashes.of(form.workspaceId, Buffer.concat([Buffer.from('\0page '), pageKey, bodyHash]));
  if (surface !== 'webhook') return null;
  const bytes = typeof signature === 'string' ? parseSignature(signature) : null;
  if (bytes === null || typeof timestamp !== 'string') return null;
  const signed = Buffer.from(`\0signed ${form.id} ${timestamp}\n`);
  return hashes.of(form.workspaceId, Buffer.concat([signed, bytes, bodyHash]));
}

/** As in idempotency_keys. */
function keyHash({ idempotencyKey: header }: KeptHeaders): Buffer | null {
  const key = typeof header === 'string' ? parseIdempotencyKey(header) : null;
  return key === null ? null : hashKey(key);
}

function recorded(header: HeaderValue): RecordedHeader {
  if (header === repeated) return { repeated: true };
  return header ?? null;
}
