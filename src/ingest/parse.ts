import { fingerprintBody, hashKey, parseIdempotencyKey } from '../domain/idempotency.ts';
import { parseLead } from '../domain/lead.ts';
import { isJsonContentType, repeated } from './headers.ts';
import { type Authenticated, type Keyed, KeyedBodyRejection, type Parsed, Rejection } from './submission.ts';

/** Content type and idempotency key: the last checks that a replay must pass too. */
export function readKey(sender: Authenticated): Keyed | Rejection {
  const { headers } = sender.received.arrival;
  if (!isJsonContentType(headers.contentType)) return new Rejection('content_type_unsupported');
  const header = headers.idempotencyKey;
  if (header === undefined) return { sender, key: null };
  const key = header === repeated ? null : parseIdempotencyKey(header);
  if (key === null) return new Rejection('idempotency_key_malformed', { repeated: header === repeated });
  return { sender, key: { hash: hashKey(key), bodyHash: fingerprintBody(sender.received.body) } };
}

export function parse(keyed: Keyed): Parsed | Rejection {
  const { sender, key } = keyed;
  const lead = parseLead(sender.received.body);
  if (typeof lead !== 'string') return { keyed, lead };
  return key === null ? new Rejection(lead) : new KeyedBodyRejection(lead, sender, key);
}
