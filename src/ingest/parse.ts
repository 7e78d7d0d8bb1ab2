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
import { ProvenRejection, type Rejection, type RejectionDetail } from './rejection.ts';

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

/** A body that cannot be stored, under a key that may have been accepted before. */
export class KeyedBodyRejection extends ProvenRejection {
  readonly sender: Authenticated;
  readonly key: StorableKey;

  constructor(reason: RejectionReason, sender: Authenticated, key: StorableKey) {
    super(reason, bodyDetail(reason, sender.received.body), proofOf(sender));
    this.sender = sender;
    this.key = key;
  }
}

/** Content type and idempotency key: the last checks that apply to duplicates too. */
export function readKey(sender: Authenticated): Keyed | Rejection {
  const { headers } = sender.received.arrival;
  if (sender.page !== null) return pageKey(sender, sender.page);
  if (!isJsonContentType(headers.contentType)) return wrongContentType(sender);
  const header = headers.idempotencyKey;
  if (header === undefined) return new Keyed(sender, null);
  const key = header === repeated ? null : parseIdempotencyKey(header);
  if (key === null) {
    const detail = header === repeated ? { repeated: true } : { repeated: false, characters: header.length };
    return new ProvenRejection('idempotency_key_malformed', detail, proofOf(sender));
  }
  return new Keyed(sender, { hash: hashKey(key), bodyHash: fingerprintBody(sender.received.body) });
}

/** A page has no idempotency key of its own: its token, or its content, stands for one. */
function pageKey(sender: Authenticated, { key, signals }: Page): Keyed | Rejection {
  // A form without script was turned into JSON.
  const isJson = signals.isUnproven || isJsonContentType(sender.received.arrival.headers.contentType);
  return isJson ? new Keyed(sender, key) : wrongContentType(sender);
}

export function parse(keyed: Keyed, shape: BodyShape): Parsed | Rejection {
  const lead = parseLead(keyed.sender.received.body, shape);
  return typeof lead === 'string' ? unstorable(keyed, lead) : new Parsed(keyed, lead);
}

export function unstorable({ sender, key }: Keyed, reason: BodyRejectionReason): Rejection {
  if (key !== null) return new KeyedBodyRejection(reason, sender, key);
  return new ProvenRejection(reason, bodyDetail(reason, sender.received.body), proofOf(sender));
}

function wrongContentType(sender: Authenticated): Rejection {
  const { contentType = '' } = sender.received.arrival.headers;
  const detail: RejectionDetail =
    contentType === repeated ? { repeated: true } : { content_type: shownContentType(contentType) };
  return new ProvenRejection('content_type_unsupported', detail, proofOf(sender));
}

function bodyDetail(reason: RejectionReason, body: Buffer): RejectionDetail {
  const bytes = body.length;
  return reason === 'body_not_object' ? { bytes, found: kindOfJson(body) } : { bytes };
}
