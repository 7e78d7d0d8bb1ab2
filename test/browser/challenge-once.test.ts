import { afterAll, beforeAll, expect, test } from 'vitest';
import { readChallenge, signChallenge } from '../../src/domain/browser/challenge.ts';
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
  wrongSolution,
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

test('a challenge that was tried before is refused, whatever became of the try', async () => {
  await pages.set(form, { protection: 'work' });
  const good = await pages.challenge(form, elsewhere());
  const body = exchanged(good);
  const answers = await Promise.all(Array.from({ length: 10 }, () => pages.ask('tokens', body, elsewhere())));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(403)]);
  for (const answer of answers.filter(({ status }) => status === 403)) expectRefused(answer);
  const bad = await pages.challenge(form, elsewhere());
  expectRefused(await pages.ask('tokens', exchanged(bad, wrongSolution(bad)), elsewhere()));
  expectRefused(await pages.ask('tokens', exchanged(bad), elsewhere()));
  await pages.set(form);
});

test('a challenge that has expired is refused', async () => {
  const given = await pages.challenge(form, elsewhere());
  clock.shift(300_000);
  expectRefused(await pages.ask('tokens', exchanged(given, '0'), elsewhere()));
  clock.reset();
  const inTime = await pages.challenge(form, elsewhere());
  clock.shift(290_000);
  expect((await pages.ask('tokens', exchanged(inTime, '0'), elsewhere())).status).toBe(201);
  clock.reset();
});

test('a challenge that was forged is refused', async () => {
  const { challenge: text } = await pages.challenge(form, elsewhere());
  const { challenge } = readChallenge(text) as NonNullable<ReturnType<typeof readChallenge>>;
  const strange = new BrowserSigningKeys('another key').current('challenges', form.workspaceId);
  const own = keys.current('challenges', form.workspaceId);
  const nil = keys.current('challenges', '00000000-0000-0000-0000-000000000000');
  const missing = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';
  const forged = [
    signChallenge(challenge, strange),
    signChallenge(challenge, { kid: own.kid, key: strange.key }),
    signChallenge(challenge, { kid: '', key: strange.key }),
    signChallenge(challenge, nil),
    signChallenge(challenge, keys.current('tokens', form.workspaceId)),
    // Ours, but of what does not exist.
    signChallenge({ ...challenge, formId: missing }, own),
    signChallenge({ ...challenge, workspaceId: missing }, own),
    signChallenge({ ...challenge, workspaceId: missing }, nil),
    text.slice(0, -1),
    `${text}A`,
    '',
    'A'.repeat(1_500),
  ];
  for (const one of forged)
    expectRefused(await pages.ask('tokens', { challenge: one, solution: '0' }, elsewhere()));
  expect((await pages.ask('tokens', { challenge: text, solution: '0' }, elsewhere())).status).toBe(201);
});

test('a challenge is refused to a page of another origin, and to any page once its origin was removed', async () => {
  await pages.set(form, { origins: [pageOrigin, 'https://shop.example.com'] });
  const given = await pages.challenge(form, elsewhere());
  const other = { ...elsewhere(), origin: 'https://shop.example.com' };
  expectRefused(await pages.ask('tokens', exchanged(given, '0'), other));
  expectRefused(await pages.ask('tokens', exchanged(given, '0'), { ...elsewhere(), origin: null }));
  await pages.set(form, { origins: ['https://shop.example.com'] });
  expectRefused(await pages.ask('tokens', exchanged(given, '0'), elsewhere()));
  await pages.set(form);
  expect((await pages.ask('tokens', exchanged(given, '0'), elsewhere())).status).toBe(201);
});

test('a challenge that was free is refused once the form demands work', async () => {
  const given = await pages.challenge(form, elsewhere());
  await pages.set(form, { protection: 'work' });
  expectRefused(await pages.ask('tokens', exchanged(given, '0'), elsewhere()));
  await pages.set(form);
});

test.each([undefined, null, '', 'x', 0, '00', '-1', ['0'], {}])(
  'a challenge is not spent by the solution %j, which is none',
  async (solution) => {
    const { challenge } = await pages.challenge(form, elsewhere());
    expectRefused(await pages.ask('tokens', { challenge, solution }, elsewhere()));
    expect((await pages.ask('tokens', { challenge, solution: '0' }, elsewhere())).status).toBe(201);
  },
);
