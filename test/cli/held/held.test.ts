import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operatorOf } from '../../support/command-line/command-line.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender, someLead } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let operator: ReturnType<typeof operatorOf>;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
  operator = operatorOf(service);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});
beforeEach(async () => {
  sender = await createSender(service);
});

const run = (...words: string[]) => operator(['held', ...words, '--workspace', sender.workspaceId]);
const leads = async () =>
  (await service.api('GET', `/workspaces/${sender.workspaceId}/leads`)).json.items.length;
const body = (n: number) => JSON.stringify({ n });

test('held submissions are counted, listed and shown', async () => {
  const id = await holdRow(pool, sender);
  await holdRow(pool, sender, { reason: 'body_not_json', class: 'C', body: '{' });
  expect((await run('summary')).stdout).toContain('2, of which 1 can be admitted');
  const all = await run('list');
  expect(all.stdout.trim().split('\n')).toHaveLength(3);
  const some = await run('list', '--form', sender.slug, '--class', 'A', '--json');
  expect(some.json).toMatchObject([{ id, reason: 'rate_limited_minute' }]);
  const shown = await run('show', id);
  expect(shown.stdout).toContain(someLead);
  expect(shown.stdout).toContain('can be admitted');
  expect(await run('show', randomUUID())).toMatchObject({ code: 5 });
  expect(await run('show', 'nonsense')).toMatchObject({ code: 2 });
});

test('one is admitted by its ID, and its lead is printed, again too', async () => {
  const id = await holdRow(pool, sender);
  const admitted = await run('admit', id);
  expect(admitted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
  expect((await run('admit', id)).stdout).toBe(admitted.stdout);
  expect(await leads()).toBe(1);
  expect((await run('list', '--state', 'admitted')).stdout).toContain(admitted.stdout.trim());
});

test('a copy of a lead is admitted only if that is asked for', async () => {
  await post(service, sender, 'server', someLead);
  const id = await holdRow(pool, sender);
  expect(await run('admit', id)).toMatchObject({ code: 6, stdout: '' });
  expect((await run('admit', id, '--include-twins')).code).toBe(0);
  expect(await leads()).toBe(2);
});

test('a selection is counted first, and admitted only after a confirmation', async () => {
  for (let n = 0; n < 3; n++) await holdRow(pool, sender, { body: body(n) });
  await holdRow(pool, sender, { body: body(3), reason: 'form_inactive' });
  const admit = ['admit', '--reason', 'rate_limited_minute'];
  expect((await run(...admit, '--dry-run')).stdout).toBe('3 held submissions would be admitted.\n');
  expect(await run(...admit)).toMatchObject({ code: 2, stdout: '' });
  expect(await leads()).toBe(0);
  expect((await run(...admit, '--yes')).stdout).toBe('3 held submissions of 3 became leads.\n');
  expect(await leads()).toBe(3);
  expect((await run('admit', '--all', '--no-deliver', '--yes')).stdout).toBe(
    '1 held submission of 1 became leads.\n',
  );
});

test('nothing is decided by leaving something out', async () => {
  await holdRow(pool, sender);
  for (const verb of ['admit', 'discard']) {
    expect(await run(verb, '--yes')).toMatchObject({ code: 2, stdout: '' });
    expect(await run(verb, randomUUID(), '--all', '--yes')).toMatchObject({ code: 2, stdout: '' });
  }
  expect((await run('list', '--json')).json).toHaveLength(1);
});

test('a selection is discarded after a confirmation', async () => {
  const id = await holdRow(pool, sender, { class: 'C', reason: 'body_not_json', body: '{' });
  await holdRow(pool, sender);
  expect(await run('discard', '--class', 'C')).toMatchObject({ code: 2, stdout: '' });
  expect((await run('discard', '--class', 'C', '--dry-run')).stdout).toBe(
    '1 held submission would be discarded.\n',
  );
  expect((await run('discard', '--class', 'C', '--yes')).stdout).toBe('1 held submission discarded.\n');
  expect((await run('show', id)).stdout).toContain('discarded at');
  expect((await run('list', '--json')).json).toHaveLength(1);
});

test('signatures are checked again', async () => {
  expect((await run('verify', sender.slug)).stdout).toBe(
    '0 held submissions of Contact have a signature that matches now.\n',
  );
});
