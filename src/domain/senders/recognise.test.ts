import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { googleKeyIn, isGoogleKey, withoutGoogleKey } from './google-key.ts';
import { recogniseCall } from './recognise.ts';

const key = (secret: string) => createSecretKey(Buffer.from(secret));
const recognise = (rawHeaders: readonly string[], body: string, ...secrets: readonly string[]) =>
  recogniseCall(
    {
      rawHeaders,
      method: 'POST',
      url: 'https://leads.example.com/api/v1/ingest/contact',
      body: Buffer.from(body),
    },
    secrets.map(key),
  )?.sender ?? null;

test('the examples that GitHub and Standard Webhooks publish are recognised', () => {
  const github = [
    ...['X-GitHub-Event', 'ping', 'X-Hub-Signature-256'],
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ];
  expect(recognise(github, 'Hello, World!', "It's a Secret to Everybody")).toBe('github');
  const standard = [
    ...['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp', '1614265330', 'webhook-signature'],
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ];
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(recognise(standard, '{"test": 2432232314}', secret)).toBe('standard_webhooks');
  expect(recognise(standard, '{"test": 2432232314}', 'other', secret.slice('whsec_'.length))).toBe(
    'standard_webhooks',
  );
  expect(recognise(standard, '{"test": 2432232315}', secret)).toBe(null);
});

test('HubSpot signs the method, the address that it calls, the body and the time', () => {
  const signed = 'POSThttps://leads.example.com/api/v1/ingest/contact{}1763546400000';
  const signature = createHmac('sha256', 's').update(signed).digest('base64');
  const headers = ['X-HubSpot-Signature-v3', signature, 'X-HubSpot-Request-Timestamp', '1763546400000'];
  expect(recognise(headers, '{}', 's')).toBe('hubspot');
  expect(recognise(headers.slice(0, 2), '{}', 's')).toBe(null);
});

test('a header that was sent twice, is empty, or has a signature of another length proves nothing', () => {
  const right = createHmac('sha256', 's').update('{}').digest('base64');
  expect(recognise(['Tally-Signature', right], '{}', 's')).toBe('tally');
  expect(recognise(['Tally-Signature', right, 'tally-signature', right], '{}', 's')).toBe(null);
  for (const wrong of ['', 'AAAA', `AAAA${right}`, 'sha256=', ',=,=', ' '.repeat(10_000)])
    for (const name of ['Tally-Signature', 'Stripe-Signature', 'webhook-signature', 'X-Hub-Signature-256'])
      expect(recognise([name, wrong], '{}', 's')).toBe(null);
  expect(recognise(['Tally-Signature', right], '{}')).toBe(null);
});

test('the key of Google is found in any spacing, within bounds, and overwritten', () => {
  const secret = randomBytes(20).toString('hex');
  for (const body of [
    `{"google_key":"${secret}"}`,
    `{"a":"\\"google_key\\"","google_key"\n : \t"${secret}"}`,
  ]) {
    const bytes = Buffer.from(body);
    const place = googleKeyIn(bytes);
    if (place === null) throw new Error('not found');
    expect(isGoogleKey(bytes, place, [key('other'), key(secret)])).toBe(true);
    expect(isGoogleKey(bytes, place, [key(`${secret}0`)])).toBe(false);
    expect(withoutGoogleKey(bytes, place).toString()).toBe(body.replace(secret, '*'.repeat(40)));
    expect(bytes.toString()).toBe(body);
  }
  for (const body of ['{"google_key":1}', `{"google_key":"${'x'.repeat(300)}"}`, '"google_key"', '{}'])
    expect(googleKeyIn(Buffer.from(body))).toBe(null);
  expect(googleKeyIn(Buffer.from('"google_key" '.repeat(10_000)))).toBe(null);
});
