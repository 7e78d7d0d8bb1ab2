import { hashBody, hashKey, parseIdempotencyKey } from '../domain/idempotency.ts';
import { parseLead } from '../domain/lead.ts';
import { isJsonContentType, repeated } from './headers.ts';
import { type Authenticated, type Keyed, type Parsed, Rejection } from './submission.ts';

/** Content type and idempotency key: the last checks that a replay must pass too. */
export function readKey(sender: Authenticated): Keyed | Rejection {
  const { headers } = sender.received.arrival;
  if (!isJsonContentType(headers.contentType)) return new Rejection('content_type_unsupported');
  const header = headers.idempotencyKey;
  if (header === undefined) return { sender, key: null };
  const key = header === repeated ? null : parseIdempotencyKey(header);
  if (key === null) return new Rejection('idempotency_key_malformed', { repeated: header === repeated });
  return { sender, key: { hash: hashKey(key), bodyHash: hashBody(sender.received.body) } };
}

export function parse(keyed: Keyed): Parsed | Rejection {
  const lead = parseLead(keyed.sender.received.body);
  return typeof lead === 'string' ? new Rejection(lead) : { keyed, lead };
}
