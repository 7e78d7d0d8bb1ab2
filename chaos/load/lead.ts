import { createHash, randomUUID } from 'node:crypto';
import { leadBody } from '../../bench/load/lead.ts';
import { sign } from '../../src/domain/signature.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { mintToken } from '../../src/domain/token.ts';
import type { Random } from '../../src/time/random.ts';
import type { Sender, Traffic } from './order.ts';

export interface Lead {
  readonly number: number;
  readonly sender: Sender;
  readonly surface: Surface;
  readonly key: string | null;
  readonly body: Buffer;
  readonly bodySha256: string;
  readonly isValid: boolean;
}

const usualBytes = [500, 4_000] as const;
// Characters of two, three and four bytes in UTF-8, a quote and an escape: the bytes must be stored, not the text.
const filler = 'Grüße aus Köln, 見積もり, \\u0000 \\" 🚢 ';
const fillerBytes = Buffer.byteLength(filler);

/** No two leads have the same body, so that even those without a key can be distinguished in the database. */
export function makeLead(number: number, senders: readonly Sender[], traffic: Traffic, random: Random): Lead {
  const isLarge = random.chance(traffic.largeShare);
  const size = Math.floor(random.between(...(isLarge ? traffic.largeBytes : usualBytes)));
  const key = random.chance(traffic.keyedShare) ? keyOf(number) : null;
  return withBody(
    {
      number,
      sender: random.pick(senders),
      surface: random.chance(traffic.serverShare) ? 'server' : 'webhook',
      key,
      isValid: !random.chance(traffic.invalidShare),
    },
    size,
  );
}

const run = randomUUID();

/** Two consecutive leads share a key: mostly in two workspaces, where it must mean two leads, sometimes in one. */
function keyOf(number: number): string {
  return `key-${run}-${number >> 1}`;
}

/** The same key with another body: the first to be accepted wins. */
export function rivalOf(lead: Lead): Lead {
  return withBody(lead, lead.body.length);
}

function withBody(lead: Omit<Lead, 'body' | 'bodySha256'>, size: number): Lead {
  const usual = leadBody(lead.number).slice(0, -1);
  const head = `${usual},"marker":"${randomUUID()}","notes":"`;
  const repeats = Math.max(0, Math.floor((size - Buffer.byteLength(head) - 2) / fillerBytes));
  const body = Buffer.from(`${head}${filler.repeat(repeats)}"}`);
  return { ...lead, body, bodySha256: createHash('sha256').update(body).digest('hex') };
}

export function pathOf({ surface, sender }: Lead): string {
  return surface === 'server' ? '/api/v1/ingest' : `/api/v1/ingest/${sender.slug}`;
}

/** Signed again for every attempt, as a sender that retries minutes later has to. */
export function headersOf({ surface, sender, key, body, isValid }: Lead): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...(key === null ? {} : { 'X-SVC-Idempotency-Key': key }),
  };
  if (surface === 'server') {
    headers.Authorization = `Bearer ${isValid ? sender.token : mintToken('server')}`;
  } else {
    const timestamp = String(Math.floor(Date.now() / 1000));
    headers['X-SVC-Timestamp'] = timestamp;
    headers['X-SVC-Signature'] = sign(isValid ? sender.secret : randomUUID(), timestamp, body).toString(
      'hex',
    );
  }
  return headers;
}
