import { type BodyShape, isHeavy, shapeOf } from '../domain/lead/body-shape.ts';
import { fingerprintBody, hashKey, parseIdempotencyKey } from '../domain/lead/idempotency.ts';
import { type BodyFault, parseLead } from '../domain/lead/lead.ts';
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

/** Null for a body that must not be parsed here. */
export function lightShape({ sender }: Keyed): BodyShape | null {
  const shape = shapeOf(sender.received.body, true);
  return isHeavy(shape) ? null : shape;
}

export function parse(keyed: Keyed, shape: BodyShape): Parsed | Rejection {
  const lead = parseLead(keyed.sender.received.body, shape);
  return typeof lead === 'string' ? unstorable(keyed, lead) : { keyed, lead };
}

export function unstorable({ sender, key }: Keyed, fault: BodyFault): Rejection {
  return key === null ? new Rejection(fault) : new KeyedBodyRejection(fault, sender, key);
}
