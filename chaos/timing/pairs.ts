import { randomBytes, randomUUID } from 'node:crypto';
import { callApi } from '../../bench/seed.ts';
import { sign } from '../../src/domain/signature.ts';
import { mintToken } from '../../src/domain/token.ts';
import type { Sender } from '../load/order.ts';
import { bearerRequest, createStranger, smallLead } from '../world/target.ts';
import type { Pair } from './samples.ts';

// With a large body, the HMACs take a large part of the time, so that a missing one is noticeable.
const bodyBytes = 64 * 1024;
const body = JSON.stringify({ ...JSON.parse(smallLead), notes: 'a'.repeat(bodyBytes) });
const staleSeconds = 3_600;
const wrongSecret = randomBytes(32).toString('hex');

/** The authentication headers of a request, for a sender who knows the secret or does not. */
type Credentials = (secret: string) => readonly string[];

function signed(ageSeconds: number, secret: string): [timestamp: string, signature: string] {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signature = sign(secret, timestamp, Buffer.from(body)).toString('hex');
  return [`X-SVC-Timestamp: ${timestamp}`, `X-SVC-Signature: ${signature}`];
}

const badSignature: Credentials = () => signed(0, wrongSecret);
const goodSignature: Credentials = (secret) => signed(0, secret);
const staleTimestamp: Credentials = (secret) => signed(staleSeconds, secret);
const noTimestamp: Credentials = (secret) => signed(0, secret).slice(1);
const noSignature: Credentials = (secret) => signed(0, secret).slice(0, 1);
const shortSignature: Credentials = (secret) =>
  signed(0, secret).map((line) => line.replace(/[0-9a-f]$/, ''));

/** The same request to an unknown slug and to an existing one. */
async function slugPair(
  port: number,
  name: string,
  credentials: Credentials,
  prepare: (port: number, form: string) => Promise<unknown> = async () => {},
): Promise<Pair> {
  const { slug, secret, workspaceId, formId } = (await createStranger(port)) as Sender & { formId: string };
  await prepare(port, `/workspaces/${workspaceId}/forms/${formId}`);
  const unknown = slug.replace(/[0-9a-f-]{36}$/, randomUUID());
  return {
    name: `unknown slug, ${name}`,
    requests: () => {
      const lines = [
        ...credentials(secret),
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      const rest = `HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
      return [`POST /api/v1/ingest/${unknown} ${rest}`, `POST /api/v1/ingest/${slug} ${rest}`];
    },
  };
}

async function tokenPair(
  port: number,
  name: string,
  type: 'server' | 'browser',
  isRevoked: boolean,
): Promise<Pair> {
  const { workspaceId, formId } = await createStranger(port);
  const at = `/workspaces/${workspaceId}/tokens`;
  const known = await callApi(port, 'POST', at, { name, form_id: formId, type });
  if (isRevoked) await callApi(port, 'DELETE', `${at}/${known.id}`, {});
  const unknown = mintToken(type);
  return {
    name: `unknown token, ${name}`,
    requests: () => [bearerRequest(unknown, body), bearerRequest(known.token as string, body)],
  };
}

export const badSignaturePair = (port: number) => slugPair(port, 'bad signature', badSignature);

/** Requests that an outsider must not be able to distinguish. */
export const pairs: readonly ((port: number) => Promise<Pair>)[] = [
  badSignaturePair,
  (port) => slugPair(port, 'stale timestamp', staleTimestamp),
  (port) => slugPair(port, 'no timestamp', noTimestamp),
  (port) => slugPair(port, 'no signature', noSignature),
  (port) => slugPair(port, 'malformed signature', shortSignature),
  (port) =>
    slugPair(port, 'form without a secret', badSignature, (at, form) =>
      callApi(at, 'DELETE', `${form}/webhook-secret`, {}),
    ),
  (port) =>
    slugPair(port, 'inactive form', goodSignature, (at, form) =>
      callApi(at, 'PATCH', form, { active: false }),
    ),
  (port) => tokenPair(port, 'revoked token', 'server', true),
  (port) => tokenPair(port, 'token of the wrong type', 'browser', false),
];
