import { randomBytes, randomUUID } from 'node:crypto';
import type { NewHeld, SharedRoom } from '../../../src/db/held/held-database.ts';
import { shardOf } from '../../../src/domain/workspace.ts';

const mebibyte = 1024 ** 2;
export const heldAt = Date.parse('2026-11-15T08:00:00.000Z');
export const sealedBytes = 100;

export const roomy: SharedRoom = {
  provenBytes: 0,
  provenBytesMax: 2048 * mebibyte,
  unprovenBytes: 0,
  unprovenBytesMax: 256 * mebibyte,
};

export interface Form {
  readonly workspaceId: string;
  readonly formId: string;
}

export const newForm = (workspaceId: string = randomUUID()): Form => ({ workspaceId, formId: randomUUID() });

/** A rejected request as it is written; its content is random. */
export function heldRequest({ workspaceId, formId }: Form, changes: Partial<NewHeld> = {}): NewHeld {
  return {
    shard: shardOf(workspaceId),
    workspaceId,
    id: randomUUID(),
    formId,
    tokenId: null,
    slug: null,
    surface: 'webhook',
    reason: 'form_inactive',
    class: 'A',
    receivedAt: new Date(heldAt),
    requestId: randomUUID(),
    sentAt: null,
    bodyBytes: 10,
    bodyHash: randomBytes(32),
    signatureHash: null,
    keyHash: null,
    personHashes: [],
    sender: null,
    sealed: randomBytes(sealedBytes),
    expiresAt: new Date(heldAt + 1),
    ...changes,
  };
}

export const several = (count: number, form: Form, changes: Partial<NewHeld> = {}) =>
  Array.from({ length: count }, () => heldRequest(form, changes));
export const unproven = (form: Form, secondsLater: number): NewHeld =>
  heldRequest(form, {
    class: 'D',
    reason: 'signature_mismatch',
    receivedAt: new Date(heldAt + secondsLater * 1000),
  });
