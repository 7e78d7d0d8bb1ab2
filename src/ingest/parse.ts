import type { StorableKey } from '../db/ingest/ingest-commit.ts';
import type { BodyShape } from '../domain/lead/body-shape.ts';
import { isJsonContentType, shownContentType } from '../domain/lead/content-type.ts';
import { fingerprintBody, hashKey, parseIdempotencyKey } from '../domain/lead/idempotency.ts';
import {
  type BodyRejectionReason,
  kindOfJson,
  type Lead,
  type LeadFields,
  parseLead,
} from '../domain/lead/lead.ts';
import type { RejectionReason } from '../domain/rejection.ts';
import { type Authenticated, proofOf } from './authenticate.ts';
import type { Page } from './browser/submissions/page.ts';
import { repeated } from './headers.ts';
import type { Received } from './receive.ts';
import { ProvenRejection, Rejection, type RejectionDetail } from './rejection.ts';

/** A request whose idempotency key was read, if it has one. */
class Keyed {
  declare protected readonly stage: 'keyed';
  readonly sender: Authenticated;
  readonly key: StorableKey | null;

  constructor(sender: Authenticated, key: StorableKey | null) {
    this.sender = sender;
    this.key = key;
  }
}

export type { Keyed };

/** A request whose body is a lead. */
class Parsed {
  declare protected readonly stage: 'parsed';
  readonly keyed: Keyed;
  readonly fields: LeadFields;
  readonly projection: Buffer;

  constructor(keyed: Keyed, { fields, projection }: Lead) {
    this.keyed = keyed;
    this.fields = fields;
    this.projection = projection;
  }
}

export type { Parsed };

/** Rejected, unless it repeats a request whose lead is stored: its sender has not received the 202 and gets it now. */
export class RejectionUnlessRepeat extends ProvenRejection {
  readonly sender: Authenticated;
  readonly key: StorableKey | null;

  constructor({ reason, detail }: Rejection, sender: Authenticated, key: StorableKey | null) {
    super(reason, detail, proofOf(sender));
    this.sender = sender;
    this.key = key;
  }
}

/** Form, content type and idempotency key. */
export function readKey(sender: Authenticated): Keyed | Rejection {
  if (sender.page !== null) return pageKey(sender, sender.page);
  const refused = refusalOf(sender);
  const key = keyOf(sender);
  if (key instanceof Rejection)
    return refused === null ? key : new ProvenRejection(refused.reason, refused.detail, proofOf(sender));
  return refused === null ? new Keyed(sender, key) : new RejectionUnlessRepeat(refused, sender, key);
}

function refusalOf({ form, received }: Authenticated): Rejection | null {
  if (!form.isActive) return new Rejection('form_inactive');
  return isJsonContentType(received.arrival.headers.contentType) ? null : wrongContentType(received);
}

function keyOf(sender: Authenticated): StorableKey | null | Rejection {
  const { arrival, body } = sender.received;
  const header = arrival.headers.idempotencyKey;
  if (header === undefined) return null;
  const key = header === repeated ? null : parseIdempotencyKey(header);
  if (key !== null) return { hash: hashKey(key), bodyHash: fingerprintBody(body) };
  const detail = header === repeated ? { repeated: true } : { repeated: false, characters: header.length };
  return new ProvenRejection('idempotency_key_malformed', detail, proofOf(sender));
}

/** A page has no idempotency key of its own: its token, or its content, stands for one. */
function pageKey(sender: Authenticated, { key, signals }: Page): Keyed | Rejection {
  // A form without script was turned into JSON.
  const isJson = signals.isUnproven || isJsonContentType(sender.received.arrival.headers.contentType);
  if (isJson) return new Keyed(sender, key);
  const { reason, detail } = wrongContentType(sender.received);
  return new ProvenRejection(reason, detail, proofOf(sender));
}

export function parse(keyed: Keyed, shape: BodyShape): Parsed | Rejection {
  const lead = parseLead(keyed.sender.received.body, shape);
  return typeof lead === 'string' ? unstorable(keyed, lead) : new Parsed(keyed, lead);
}

/** A signature covers the body, so without a key this body was never stored. */
export function unstorable({ sender, key }: Keyed, reason: BodyRejectionReason): Rejection {
  const detail = bodyDetail(reason, sender.received.body);
  if (key !== null) return new RejectionUnlessRepeat(new Rejection(reason, detail), sender, key);
  return new ProvenRejection(reason, detail, proofOf(sender));
}

function wrongContentType({ arrival }: Received): Rejection {
  const { contentType = '' } = arrival.headers;
  const detail: RejectionDetail =
    contentType === repeated ? { repeated: true } : { content_type: shownContentType(contentType) };
  return new Rejection('content_type_unsupported', detail);
}

function bodyDetail(reason: RejectionReason, body: Buffer): RejectionDetail {
  const bytes = body.length;
  return reason === 'body_not_object' ? { bytes, found: kindOfJson(body) } : { bytes };
}
