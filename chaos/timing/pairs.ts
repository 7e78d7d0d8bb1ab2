import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { callApi } from '../../bench/seed.ts';
import { newPublicKey } from '../../src/domain/browser/public-key.ts';
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
type Credentials = (secret: string, content: string) => readonly string[];

function signed(ageSeconds: number, secret: string, content: string): [timestamp: string, signature: string] {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signature = sign(secret, timestamp, Buffer.from(content)).toString('hex');
  return [`X-SVC-Timestamp: ${timestamp}`, `X-SVC-Signature: ${signature}`];
}

const badSignature: Credentials = (_, content) => signed(0, wrongSecret, content);
const goodSignature: Credentials = (secret, content) => signed(0, secret, content);
const staleTimestamp: Credentials = (secret, content) => signed(staleSeconds, secret, content);
const noTimestamp: Credentials = (secret, content) => signed(0, secret, content).slice(1);
const noSignature: Credentials = (secret, content) => signed(0, secret, content).slice(0, 1);
const shortSignature: Credentials = (secret, content) =>
  signed(0, secret, content).map((line) => line.replace(/[0-9a-f]$/, ''));

const typeform: Credentials = (secret, content) => [
  `Typeform-Signature: sha256=${createHmac('sha256', secret).update(content).digest('base64')}`,
];
const notTypeform: Credentials = (_, content) => typeform(wrongSecret, content);
const standardWebhooks: Credentials = (secret, content) => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`msg.1.${content}`).digest('base64');
  return ['webhook-id: msg', 'webhook-timestamp: 1', `webhook-signature: v1,${signature}`];
};
const nothing: Credentials = () => [];
const withKey = (content: string) => content.replace('{', '{"google_key":"0123456789",');

interface SlugPairOptions {
  readonly prepare?: (port: number, form: string) => Promise<unknown>;
  readonly content?: string;
}

/** The same request to an unknown slug and to an existing one. */
async function slugPair(
  port: number,
  name: string,
  credentials: Credentials,
  { prepare = async () => {}, content = body }: SlugPairOptions = {},
): Promise<Pair> {
  const { slug, secret, workspaceId, formId } = (await createStranger(port)) as Sender & { formId: string };
  await prepare(port, `/workspaces/${workspaceId}/forms/${formId}`);
  const unknown = slug.replace(/[0-9a-f-]{36}$/, randomUUID());
  return {
    name: `unknown slug, ${name}`,
    requests: () => {
      const lines = [
        ...credentials(secret, content),
        'Content-Type: application/json',
        `Content-Length: ${content.length}`,
      ];
      const rest = `HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n${content}`;
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

const lifetimeMs = 1_000;

/** A request with a token that has expired is kept. */
async function expiredPair(port: number, name: string, content: string): Promise<Pair> {
  const { workspaceId, formId } = await createStranger(port);
  const expires_at = new Date(Date.now() + lifetimeMs).toISOString();
  const token = { name, form_id: formId, type: 'server', expires_at };
  const known = await callApi(port, 'POST', `/workspaces/${workspaceId}/tokens`, token);
  const unknown = mintToken('server');
  // The service has the same clock.
  await setTimeout(lifetimeMs + 1);
  return {
    name: `unknown token, ${name}`,
    requests: () => [bearerRequest(unknown, content), bearerRequest(known.token as string, content)],
  };
}

const pageOrigin = 'https://www.example.com';

/** A page of an origin that is not allowed asks for a challenge: for a form that does not exist, and for one that does. */
async function publicKeyPair(port: number, name: string, origin: string): Promise<Pair> {
  const { workspaceId, formId } = await createStranger(port);
  const path = `/workspaces/${workspaceId}/forms/${formId}/browser`;
  const settings = { enabled: true, origins: [pageOrigin] };
  const { public_key: known } = await callApi(port, 'PUT', path, settings);
  const unknown = newPublicKey();
  const request = (key: unknown) => {
    const content = JSON.stringify({ key, body_hash: '0'.repeat(64) });
    const lines = [
      `Origin: ${origin}`,
      'Content-Type: application/json',
      `Content-Length: ${content.length}`,
    ];
    return `POST /api/v1/browser/challenges HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n${content}`;
  };
  return { name: `unknown public key, ${name}`, requests: () => [request(unknown), request(known)] };
}

export const badSignaturePair = (port: number) => slugPair(port, 'bad signature', badSignature);

/** A request with a right signature is looked up, in case it repeats a stored lead, unless a replay is another lead anyway. */
const switchOff = (port: number, form: string) =>
  callApi(port, 'PATCH', form, { active: false, replay_protection: 'off' });
const removeSecret = (port: number, form: string) => callApi(port, 'DELETE', `${form}/webhook-secret`, {});

/**
 * Requests that an outsider must not be able to distinguish. Calls of known senders are recognised with a right signature.
 * Unknown ones are never kept. Of the others, those with a right
 * signature and the expired tokens are kept as proven, those with a wrong signature or without a secret as unproven. Of large
 * bodies only some are, because the room in memory is soon used up; of small ones all are, except for the limit of unproven
 * ones.
 */
export const pairs: readonly ((port: number) => Promise<Pair>)[] = [
  badSignaturePair,
  (port) => slugPair(port, 'bad signature, small body', badSignature, { content: smallLead }),
  (port) => slugPair(port, 'stale timestamp', staleTimestamp),
  (port) => slugPair(port, 'stale timestamp, small body', staleTimestamp, { content: smallLead }),
  (port) => slugPair(port, 'no timestamp', noTimestamp),
  (port) => slugPair(port, 'no signature', noSignature),
  (port) => slugPair(port, 'malformed signature', shortSignature),
  (port) => slugPair(port, 'form without a secret', badSignature, { prepare: removeSecret }),
  (port) => slugPair(port, 'inactive form', goodSignature, { prepare: switchOff }),
  (port) =>
    slugPair(port, 'inactive form, small body', goodSignature, { prepare: switchOff, content: smallLead }),
  (port) => slugPair(port, 'inactive form, bad signature', badSignature, { prepare: switchOff }),
  (port) => slugPair(port, 'Typeform', typeform),
  (port) => slugPair(port, 'Typeform, small body', typeform, { content: smallLead }),
  (port) => slugPair(port, 'Typeform, bad signature', notTypeform),
  (port) => slugPair(port, 'Typeform, bad signature, small body', notTypeform, { content: smallLead }),
  (port) => slugPair(port, 'Standard Webhooks', standardWebhooks),
  (port) => slugPair(port, 'Google key', nothing, { content: withKey(body) }),
  (port) => slugPair(port, 'Google key, small body', nothing, { content: withKey(smallLead) }),
  (port) => tokenPair(port, 'revoked token', 'server', true),
  (port) => tokenPair(port, 'token of the wrong type', 'browser', false),
  (port) => expiredPair(port, 'expired token', body),
  (port) => expiredPair(port, 'expired token, small body', smallLead),
  (port) => publicKeyPair(port, 'origin not allowed', 'https://other.example'),
  (port) => publicKeyPair(port, 'origin null', 'null'),
];
