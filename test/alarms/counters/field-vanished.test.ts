import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/alarms/rule.ts';
import { fieldVanishedRule } from '../../../src/alarms/rules/field-vanished.ts';
import { listLeadKeys } from '../../../src/db/alarms/lead-keys.ts';
import { JudgedWorld } from './judged-world.ts';

const all = ['name', 'email', 'phone'];
const withoutPhone = ['name', 'email'];
const day = 24 * 60;
let world: JudgedWorld;
let rule: Rule;

beforeAll(async () => {
  world = await JudgedWorld.create();
});
afterAll(() => world.end());
beforeEach(() => {
  world.reset();
  rule = fieldVanishedRule();
});

/** So that ten leads without a key are enough. */
async function smallForm() {
  const form = world.form();
  await world.rhythm(form, { leads: 8 * 70, weeks: 8 });
  return form;
}

test('a key that all leads had and the last ten do not have is told, with its numbers', async () => {
  const form = await smallForm();
  await world.received(form, { count: 250, keys: all });
  await world.received(form, { count: 9, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual([]);
  await world.received(form, { count: 1, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual(['high phone']);
  expect(world.open[0]).toMatchObject({
    kind: 'field_vanished',
    formId: form.formId,
    evidence: { key: 'phone', had_percent: 100, leads: 200, missing_in: 10 },
  });
});

test('a key that was in fewer than 95 % of the leads is not missed', async () => {
  const form = await smallForm();
  for (let times = 0; times < 10; times++) {
    await world.received(form, { count: 2, keys: withoutPhone });
    await world.received(form, { count: 18, keys: all });
  }
  await world.received(form, { count: 10, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

test('an empty value is no missing key, and what spam does not have is not missed', async () => {
  const form = await smallForm();
  await world.received(form, { count: 250, keys: all });
  await world.received(form, { count: 20, keys: [], fields: { name: '', email: '', phone: null } });
  await world.received(form, { count: 20, keys: withoutPhone, verdict: 'spam' });
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

test('a busy form needs a twentieth of a day without the key, however fast they come', async () => {
  const form = world.form();
  await world.rhythm(form, { leads: 8 * 7 * 3000, weeks: 8 });
  await world.received(form, { count: 250, keys: all });
  world.pass(70);
  await world.received(form, { count: 149, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual([]);
  await world.received(form, { count: 1000, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual(['high phone']);
});

test('if everything was renamed, three alarms say so, and no more follow', async () => {
  const form = await smallForm();
  const before = Array.from({ length: 9 }, (_, n) => `before ${n}`);
  await world.received(form, { count: 250, keys: before });
  await world.received(form, { count: 10, keys: ['after'] });
  await world.judge(rule);
  const told = ['high before 0', 'high before 1', 'high before 2'];
  expect(world.told).toEqual(told);
  await world.received(form, { count: 5, keys: ['after'] });
  await world.judge(rule);
  expect(world.told).toEqual(told);
});

test('visitors of web pages cannot use up the alarms of a form', async () => {
  const form = await smallForm();
  const invented = ['a', 'b', 'c', 'd'];
  await world.received(form, { count: 250, keys: invented, surface: 'browser' });
  await world.received(form, { count: 10, keys: ['e'], surface: 'browser' });
  await world.judge(rule);
  expect(world.told).toEqual(['medium a', 'medium b', 'medium c']);
  await world.received(form, { count: 250, keys: all });
  await world.received(form, { count: 10, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual(['high phone', 'medium a', 'medium b', 'medium c']);
});

test('leads with very many or very large fields are passed over', async () => {
  const form = await smallForm();
  await world.received(form, { count: 250, keys: all });
  const many = Array.from({ length: 101 }, (_, n) => `key ${n}`);
  await world.received(form, { count: 10, keys: many });
  // Random, because equal texts would be small once they are compressed.
  const large = Array.from({ length: 2000 }, () => crypto.randomUUID()).join();
  await world.received(form, { count: 10, keys: [], fields: { large } });
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

describe('an alarm about a key', () => {
  async function openAlarm() {
    const form = await smallForm();
    await world.received(form, { count: 250, keys: all });
    await world.received(form, { count: 10, keys: withoutPhone });
    await world.judge(rule);
    expect(world.told).toEqual(['high phone']);
    return form;
  }

  test('is over with the first lead that has it', async () => {
    const form = await openAlarm();
    await world.received(form, { count: 5, keys: withoutPhone });
    await world.judge(rule);
    expect(world.closed).toEqual([]);
    await world.received(form, { count: 1, keys: all });
    await world.judge(rule);
    expect(world.closed).toEqual(['recovered']);
    await world.received(form, { count: 30, keys: withoutPhone });
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('ends after a week, when it has become normal, and is not raised again', async () => {
    const form = await openAlarm();
    world.pass(7 * day - 1);
    await world.judge(rule);
    expect(world.told).toEqual(['high phone']);
    world.pass(2);
    await world.judge(rule);
    expect(world.closed).toEqual(['removed']);
    for (let times = 0; times < 5; times++) {
      await world.received(form, { count: 10, keys: withoutPhone });
      await world.judge(rule);
    }
    expect(world.told).toEqual([]);
  });
});

describe('web pages, whose leads anyone can send', () => {
  test('raise an alarm that is not high', async () => {
    const form = await smallForm();
    await world.received(form, { count: 250, keys: all, surface: 'browser' });
    await world.received(form, { count: 10, keys: withoutPhone, surface: 'browser' });
    await world.judge(rule);
    expect(world.told).toEqual(['medium phone']);
  });

  test('raise none about the leads of backends, whether they leave a key out or make one up', async () => {
    const form = await smallForm();
    await world.received(form, { count: 250, keys: withoutPhone });
    await world.received(form, { count: 49, keys: withoutPhone, surface: 'browser' });
    await world.received(form, { count: 49, keys: ['made up'], surface: 'browser' });
    await world.received(form, { count: 30, keys: withoutPhone });
    await world.judge(rule);
    expect(world.told).toEqual([]);
    await world.received(form, { count: 300, keys: ['made up'], surface: 'browser' });
    await world.received(form, { count: 30, keys: ['name'], surface: 'browser' });
    await world.received(form, { count: 30, keys: withoutPhone });
    await world.judge(rule);
    expect(world.told).toEqual(['medium made up']);
  });

  test('neither end nor weaken an alarm about the leads of backends', async () => {
    const form = await smallForm();
    await world.received(form, { count: 250, keys: all, surface: 'browser' });
    await world.received(form, { count: 250, keys: all });
    await world.received(form, { count: 10, keys: withoutPhone });
    await world.judge(rule);
    expect(world.told).toEqual(['high phone']);
    await world.received(form, { count: 20, keys: all, surface: 'browser' });
    await world.judge(rule);
    await world.received(form, { count: 20, keys: withoutPhone, surface: 'browser' });
    await world.judge(rule);
    expect(world.told).toEqual(['high phone']);
    expect(world.closed).toEqual([]);
  });
});

test('each of very many forms has its turn', async () => {
  const forms = Array.from({ length: 21 }, () => world.form());
  for (const form of forms) await world.counted(form, { count: 1 });
  const last = forms.toSorted((a, b) => (a.formId < b.formId ? -1 : 1)).at(-1) as (typeof forms)[number];
  await world.rhythm(last, { leads: 8 * 70, weeks: 8 });
  await world.received(last, { count: 250, keys: all });
  await world.received(last, { count: 10, keys: withoutPhone });
  await world.judge(rule);
  expect(world.told).toEqual([]);
  await world.judge(rule);
  expect(world.told).toEqual(['high phone']);
});

test('nothing is judged in a suspended workspace, nor where it is turned off', async () => {
  const form = await smallForm();
  await world.received(form, { count: 250, keys: all });
  await world.received(form, { count: 10, keys: withoutPhone });
  world.isSuspended = true;
  await world.judge(rule);
  world.isSuspended = false;
  const off = { kind: 'field_vanished', tokenId: null, isEnabled: false } as const;
  const rest = { mutedUntil: null, isSensitive: false, silentDays: null };
  world.settings = { ...world.settings, rules: [{ ...off, ...rest, formId: form.formId }] };
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

test('the leads of a form are found in an index, and no other lead is read', async () => {
  const client = await world.pool.connect();
  try {
    // So few leads would otherwise be read one by one.
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const plan: string[] = [];
    const explaining = async (text: string, values: unknown[]) => {
      const { rows } = await client.query(`explain ${text}`, values);
      plan.push(...rows.map((row) => row['QUERY PLAN']));
      return { rows: [] };
    };
    const form = { workspaceId: crypto.randomUUID(), formId: crypto.randomUUID(), origin: 'proven' as const };
    const query = { ...form, from: new Date(0), to: world.now, limit: 210 };
    await listLeadKeys({ query: explaining } as unknown as pg.PoolClient, query);
    const text = plan.join('\n');
    expect(text).toContain('Index Scan using leads_newest');
    for (const column of ['shard', 'workspace_id', 'received_at', 'form_id', 'verdict', 'surface'])
      expect(text).toMatch(new RegExp(`Index Cond: .*\\b${column}\\b`));
    expect(text).not.toMatch(/Filter|Sort/);
  } finally {
    client.release(true);
  }
});
