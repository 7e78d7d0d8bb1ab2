import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTokenSignedWith, readBrowserToken } from '../../src/domain/browser/browser-token.ts';
import { jtiOf, readChallenge } from '../../src/domain/browser/challenge.ts';
import { newPublicKey } from '../../src/domain/browser/public-key.ts';
import { BrowserSigningKeys } from '../../src/domain/browser/signing-keys.ts';
import { ShiftedClock } from '../support/clocks.ts';
import { encryptionKey } from '../support/service.ts';
import {
  elsewhere,
  exchanged,
  expectRefused,
  type PageForm,
  PageWorld,
  pageOrigin,
  someHash,
} from './page-world.ts';

const keys = new BrowserSigningKeys(encryptionKey);
const clock = new ShiftedClock();
let pages: PageWorld;
let form: PageForm;
beforeAll(async () => {
  pages = await PageWorld.start(clock);
  form = await pages.createForm();
});
afterAll(() => pages.stop());

test('a page that solves a challenge gets a token for its origin, its body and its form', async () => {
  await pages.set(form, { protection: 'work', ttlSeconds: 90 });
  const given = await pages.challenge(form, elsewhere());
  expect(given).toEqual({
    challenge: expect.stringMatching(/^[\w-]+$/),
    nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
    salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    cost: 1_000,
    bits: 9,
    expires_in: 300,
  });
  const answer = await pages.ask('tokens', exchanged(given), elsewhere());
  expect(answer.status).toBe(201);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  const { token, expires_in: expiresIn } = JSON.parse(answer.body);
  expect(expiresIn).toBe(90);
  const read = readBrowserToken(token);
  const { claims } = read as NonNullable<typeof read>;
  expect(claims).toMatchObject({
    ...{ workspaceId: form.workspaceId, formId: form.formId, epoch: 1, origin: pageOrigin, proof: 'work' },
    bodyHash: Buffer.from(someHash, 'hex'),
  });
  expect(claims.expiresAt - claims.issuedAt).toBe(90);
  const original = readChallenge(given.challenge);
  expect(claims.jti).toEqual(jtiOf((original as NonNullable<typeof original>).challenge));
  const { key } = keys.current('tokens', form.workspaceId);
  expect(read !== null && isTokenSignedWith(read, key)).toBe(true);
  await pages.set(form);
});

test('a form without protection gives an empty challenge, which any number solves', async () => {
  const given = await pages.challenge(form, elsewhere());
  expect(given.bits).toBe(0);
  expect((await pages.ask('tokens', exchanged(given, '0'), elsewhere())).status).toBe(201);
});

test('a page may send its request as text, so that no preflight is needed', async () => {
  const headers = { 'Content-Type': 'text/plain;charset=UTF-8' };
  expect((await pages.token(form, { ...elsewhere(), headers })).status).toBe(201);
});

describe('every refusal of a challenge is the same bytes', () => {
  const asking = () => ({ key: form.key, body_hash: someHash });

  test.each([
    ['missing', null],
    ['null', 'null'],
    ['another', 'https://evil.test'],
    ['with another port', `${pageOrigin}:8443`],
    ['with a suffix', `${pageOrigin}.evil.test`],
    ['in upper case', pageOrigin.toUpperCase()],
    ['empty', ''],
  ])('the origin is %s', async (_, origin) => {
    expectRefused(await pages.ask('challenges', asking(), { ...elsewhere(), origin }));
  });

  test('the origin is repeated', async () => {
    const options = { ...elsewhere(), origin: null, headers: { Origin: [pageOrigin, pageOrigin] } };
    expectRefused(await pages.ask('challenges', asking(), options));
  });

  test('the key is unknown, or no key', async () => {
    for (const key of [newPublicKey(), '', 'ingt_pub_', '__proto__', form.token, form.key.toUpperCase()])
      expectRefused(await pages.ask('challenges', { key, body_hash: someHash }, elsewhere()));
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a text', '"ingt_pub_"'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00])],
    ['no key', JSON.stringify({ body_hash: someHash })],
    ['a key in the prototype', `{"__proto__":{"key":"ingt_pub_"},"body_hash":"${someHash}"}`],
    ['a key that is a list', JSON.stringify({ key: ['ingt_pub_'], body_hash: someHash })],
    ['deep nesting', `${'['.repeat(4_000)}${']'.repeat(4_000)}`],
    ['more than 8 KB', JSON.stringify({ filling: 'x'.repeat(8_192) })],
    ['more than 100 KB', JSON.stringify({ filling: 'x'.repeat(100_000) })],
  ])('the body is %s', async (_, body) => {
    expectRefused(await pages.ask('challenges', body, elsewhere()));
    expectRefused(await pages.ask('tokens', body, elsewhere()));
  });

  test.each([
    undefined,
    null,
    '',
    'x',
    someHash.toUpperCase(),
    `${someHash}00`,
    someHash.slice(1),
    `${someHash}\n`,
    7,
    { length: 64 },
  ])('the hash of the body is %j', async (bodyHash) => {
    expectRefused(await pages.ask('challenges', { key: form.key, body_hash: bodyHash }, elsewhere()));
  });

  test('the body is right but longer than 8 KB', async () => {
    const padded = (bytes: number) => JSON.stringify(asking()).padEnd(bytes, ' ');
    expect((await pages.ask('challenges', padded(8_192), elsewhere())).status).toBe(201);
    expectRefused(await pages.ask('challenges', padded(8_193), elsewhere()));
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('the method is %s', async (method) => {
    expectRefused(await pages.ask('challenges', asking(), { ...elsewhere(), method }));
    expectRefused(await pages.ask('tokens', asking(), { ...elsewhere(), method }));
  });

  test('the form is turned off for pages, inactive or deleted, or its workspace suspended', async () => {
    const own = await pages.createForm();
    const refused = async () => {
      const given = await before;
      expectRefused(await pages.ask('challenges', { key: own.key, body_hash: someHash }, elsewhere()));
      expectRefused(await pages.ask('tokens', exchanged(given, '0'), elsewhere()));
    };
    let before = pages.challenge(own, elsewhere());
    await before;
    await pages.set(own, { enabled: false });
    await refused();
    await pages.set(own);
    before = pages.challenge(own, elsewhere());
    await before;
    const path = `/workspaces/${own.workspaceId}`;
    await pages.service.api('PATCH', `${path}/forms/${own.formId}`, { active: false });
    await refused();
    await pages.service.api('PATCH', `${path}/forms/${own.formId}`, { active: true });
    await pages.service.api('PATCH', path, { status: 'suspended' });
    await refused();
    await pages.service.api('PATCH', path, { status: 'active' });
    expect((await pages.token(own, elsewhere())).status).toBe(201);
    await pages.service.api('DELETE', `${path}/forms/${own.formId}`);
    await refused();
  });
});
