import type { StorableLead, StorableSignature } from '../../db/ingest/ingest-commit.ts';
import type { Score } from '../../domain/score/score.ts';
import type { Surface } from '../../domain/surface.ts';
import { strippedLead } from '../commit/stripped-lead.ts';
import { payloadBytesMax } from './record.ts';

/** All of a lead but its body and its projection, which can be derived from the body. Contains no credential. */
interface EntryHead {
  readonly shard: number;
  readonly workspace: string;
  readonly form: string;
  readonly token: string | null;
  readonly surface: Surface;
  readonly submission: string;
  readonly receivedAt: number;
  readonly score: Score;
  readonly key: { readonly hash: string; readonly bodyHash: string } | null;
  /** Absent in records of earlier versions. */
  readonly signed?: Pick<StorableSignature, 'id' | 'isClaimed'> | null;
}

/** A lead as the spool stores it. */
export type EnteredLead = Omit<StorableLead, 'projection'>;

const lengthBytes = 4;

function encodeEntry(lead: EnteredLead): Buffer {
  const head: EntryHead = {
    shard: lead.shard,
    workspace: lead.workspaceId.toString('hex'),
    form: lead.formId.toString('hex'),
    token: lead.tokenId?.toString('hex') ?? null,
    surface: lead.surface,
    submission: lead.submissionId,
    receivedAt: lead.receivedAt,
    score: lead.score,
    key: lead.key && { hash: lead.key.hash.toString('hex'), bodyHash: lead.key.bodyHash.toString('hex') },
    signed: lead.signed && { id: lead.signed.id, isClaimed: lead.signed.isClaimed },
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(lengthBytes);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, lead.body]);
}

/** Null for a record in a format of another version that this one does not know. */
export function decodeEntry(payload: Buffer): EnteredLead | null {
  try {
    return decode(payload);
  } catch {
    return null;
  }
}

function decode(payload: Buffer): EnteredLead {
  const bodyFrom = lengthBytes + payload.readUInt32BE(0);
  const head: EntryHead = JSON.parse(payload.toString('utf8', lengthBytes, bodyFrom));
  const body = payload.subarray(bodyFrom);
  return {
    shard: head.shard,
    workspaceId: fromHex(head.workspace),
    formId: fromHex(head.form),
    tokenId: head.token === null ? null : fromHex(head.token),
    surface: head.surface,
    submissionId: head.submission,
    receivedAt: head.receivedAt,
    body,
    score: head.score,
    key: head.key && { hash: fromHex(head.key.hash), bodyHash: fromHex(head.key.bodyHash) },
    signed: head.signed ? { ...head.signed, isSuspect: false } : null,
  };
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** An oversized record would count as damaged when it is read. Only reasons can make one that large, so they are dropped. */
export function encodeBounded(lead: StorableLead): Buffer {
  const payload = encodeEntry(lead);
  return payload.length <= payloadBytesMax ? payload : encodeEntry(strippedLead(lead));
}
