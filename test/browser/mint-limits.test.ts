import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteMs } from '../../src/time/clock.ts';
import { ShiftedClock } from '../support/clocks.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startTestService } from '../support/service.ts';
import { elsewhere, exchanged, type PageForm, PageWorld, pageOrigin, someHash } from './page-world.ts';

const clock = new ShiftedClock();
let pages: PageWorld;
let form: PageForm;
beforeAll(async () => {
  pages = await PageWorld.start(clock);
  form = await pages.createForm();
});
afterAll(() => pages.stop());

test('a network gets 30 tokens a minute, over all forms, and then the next minute again', async () => {
  clock.shift(minuteMs - (clock.now() % minuteMs));
  const from = elsewhere();
  const other = await pages.createForm();
  const statuses = [];
  for (let n = 0; n < 32; n++) statuses.push((await pages.token(n % 2 ? form : other, from)).status);
  expect(statuses).toEqual([...Array(30).fill(201), 403, 403]);
  expect((await pages.token(form, elsewhere())).status).toBe(201);
  clock.shift(minuteMs);
  expect((await pages.token(form, from)).status).toBe(201);
  clock.reset();
});

test('a network of IPv6 is a /64', async () => {
  clock.shift(minuteMs - (clock.now() % minuteMs));
  for (let n = 0; n < 30; n++) await pages.token(form, { address: `2001:db8:7:7::${n.toString(16)}` });
  const answerTo = async (address: string) => (await pages.token(form, { address })).status;
  expect(await answerTo('2001:db8:7:7:ffff::1')).toBe(403);
  expect(await answerTo('2001:db8:7:8::1')).toBe(201);
  clock.reset();
});

test('a network that asks for many challenges gets more work', async () => {
  const own = await pages.createForm({ protection: 'work' });
  const from = elsewhere();
  const bits = [];
  for (let n = 0; n < 45; n++) bits.push((await pages.challenge(own, from)).bits);
  expect(bits[0]).toBe(9);
  expect(bits.at(-1)).toBe(11);
  expect((await pages.challenge(own, elsewhere())).bits).toBe(9);
});

test('the owner sees what became of the visits, and from which allowed origins', async () => {
  const own = await pages.createForm({ origins: [pageOrigin, 'https://*.example.com'] });
  await pages.token(own, elsewhere());
  await pages.token(own, { ...elsewhere(), origin: 'https://a.example.com' });
  await pages.ask(
    'challenges',
    { key: own.key, body_hash: someHash },
    { ...elsewhere(), origin: 'https://evil.test' },
  );
  await pages.ask('challenges', { key: own.key, body_hash: someHash }, { ...elsewhere(), origin: null });
  const given = await pages.challenge(own, elsewhere());
  await pages.ask('tokens', exchanged(given, '0'), elsewhere());
  await pages.ask('tokens', exchanged(given, '0'), elsewhere());
  const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0);
  expect(await pages.counts(own, (counts) => total(counts) >= 9)).toEqual({
    [`challenged ${pageOrigin}`]: 2,
    [`minted ${pageOrigin}`]: 2,
    [`refused:challenge_failed ${pageOrigin}`]: 1,
    'challenged https://a.example.com': 1,
    'minted https://a.example.com': 1,
    'refused:origin_not_allowed': 1,
    'refused:origin_missing': 1,
  });
});

test('a service that stops has written what it counted last', async () => {
  const database = await createTestDatabase();
  const own = await startTestService({ databaseUrl: database.url, env: { TRUST_PROXY: '1' } });
  const itsPages = new PageWorld(own);
  const itsForm = await itsPages.createForm({ protection: 'work' });
  await itsPages.token(itsForm, elsewhere());
  await own.stop();
  const { rows } = await itsPages.pool.query('select step, count::int from mint_counts order by step');
  expect(rows).toEqual([
    { step: 'challenged', count: 1 },
    { step: 'minted', count: 1 },
  ]);
  await itsPages.close();
  await database.drop();
});
