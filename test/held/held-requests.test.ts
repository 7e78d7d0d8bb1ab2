import { afterAll, beforeAll, expect, test } from 'vitest';
import { personHashesOf } from '../../src/domain/held/person-hashes.ts';
import { BodyHashes } from '../../src/domain/lead/body-hash.ts';
import { hashKey } from '../../src/domain/lead/idempotency.ts';
import { deriveIdRoot } from '../../src/domain/secrets/id-root.ts';
import { sign } from '../../src/domain/signature.ts';
import { dayMs, hourMs, minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { diagnosticsOf, eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead } from '../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../support/service.ts';
import { HeldWorld, opened } from './held-world.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const hashes = new BodyHashes(deriveIdRoot(encryptionKey));
let service: TestService;
let world: HeldWorld;

beforeAll(async () => {
  service = await startTestService({ clock });
  world = new HeldWorld(service);
});
afterAll(async () => {
  await world.pool.end();
  await service.stop();
});

const formPath = ({ workspaceId, formId }: Sender) => `/workspaces/${workspaceId}/forms/${formId}`;

async function inactiveSender(): Promise<Sender> {
  const sender = await createSender(service);
  await service.api('PATCH', formPath(sender), { active: false });
  return sender;
}

/** Another form of the same workspace. */
async function secondForm(sender: Sender): Promise<Sender> {
  const at = `/workspaces/${sender.workspaceId}/forms`;
  const { json } = await service.api('POST', at, { name: 'Second' });
  await service.api('PUT', `${at}/${json.id}/webhook-secret`, {});
  return { ...sender, formId: json.id, slug: json.slug };
}

const times = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)));

test('a held request knows what admission, erasure and the debugger need', async () => {
  const sender = await inactiveSender();
  const sentAt = Math.floor(clock.now() / 1000) - 100;
  await post(service, sender, 'webhook', someLead, { key: 'a key', timestamp: String(sentAt) });
  const [row] = await world.waitFor(sender, 1);
  if (row === undefined) throw new Error('nothing was kept');
  expect(row).toMatchObject({ sent_at: new Date(sentAt * 1000), key_hash: hashKey('a key') });
  const { email } = JSON.parse(someLead);
  expect(row.person_hashes).toEqual(personHashesOf(hashes, sender.workspaceId, { email }));
  expect(opened(row)).toMatchObject({
    timestamp: String(sentAt),
    signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    contentType: 'application/json',
    bodyBytes: someLead.length,
  });
});

test('its id is that of its rejection entry, and says when it arrived', async () => {
  const sender = await inactiveSender();
  await times(30, (n) => post(service, sender, 'server', JSON.stringify({ n })));
  const rows = await world.waitFor(sender, 30);
  const { items } = await eventually(
    () => diagnosticsOf(service, sender, '?limit=200'),
    (found) => found.items.length >= 30,
  );
  const entries = new Map(
    items.map((item: { id: string; request_id: string }) => [item.request_id, item.id]),
  );
  for (const row of rows) expect(row.id).toBe(entries.get(row.request_id));
  expect(rows.every(({ id }) => /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id))).toBe(true);
});

test('nothing is kept of a form or workspace that does not want it, and days are those of the workspace', async () => {
  const [form, workspace, short] = [await inactiveSender(), await inactiveSender(), await inactiveSender()];
  await service.api('PATCH', formPath(form), { keeps_rejected: false });
  await service.api('PATCH', `/workspaces/${workspace.workspaceId}`, { held_days: 0 });
  await service.api('PATCH', `/workspaces/${short.workspaceId}`, { held_days: 2 });
  const other = await secondForm(short);
  for (const sender of [form, workspace, short]) await post(service, sender, 'server');
  for (const sender of [await secondForm(workspace), other])
    await post(service, sender, 'webhook', someLead, { secret: 'wrong' });
  await world.written();
  expect(await world.rowsOf(form)).toEqual([]);
  expect(await world.rowsOf(workspace)).toEqual([]);
  expect(
    (await world.rowsOf(short)).map((row) => [row.class, row.expires_at.getTime() - clock.now()]),
  ).toEqual([
    ['A', 2 * dayMs],
    ['D', 2 * dayMs],
  ]);
  expect([await world.missedOf(form), await world.missedOf(workspace)]).toEqual([0, 0]);
});

test('an operator can turn keeping off', async () => {
  const database = await createTestDatabase();
  const off = await startTestService({ clock, databaseUrl: database.url, env: { HELD: 'off' } });
  const held = new HeldWorld(off);
  const sender = await createSender(off);
  await post(off, sender, 'server', 'not json');
  await post(off, sender, 'webhook', someLead, { secret: 'wrong' });
  // Writes everything.
  await off.stop();
  const { rows } = await held.pool.query('select sum(count)::int as count from outcome_counts');
  expect([rows, await held.rowsOf(sender)]).toEqual([[{ count: 2 }], []]);
  await held.pool.end();
  await database.drop();
});

test('the same signed request is kept once, and another body with its signature does not take its place', async () => {
  const sender = await createSender(service);
  const timestamp = String(Math.floor(clock.now() / 1000) - 1_000);
  const signature = sign(sender.secret, timestamp, Buffer.from(someLead)).toString('hex');
  const send = (body: string, spelling = signature) => {
    const headers = { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': spelling };
    return post(service, sender, 'webhook', body, { headers });
  };
  await send('{"of":"a stranger"}');
  await send(someLead);
  await send(someLead, signature.toUpperCase());
  await world.waitFor(sender, 2);
  await send(someLead, `sha256=${signature}`);
  await world.written();
  expect((await world.rowsOf(sender)).map((row) => row.class)).toEqual(['D', 'A']);
});

test('of requests that can never be a lead, 20 an hour are kept per form', async () => {
  const sender = await createSender(service);
  clock.advance(hourMs - (clock.now() % hourMs));
  await times(15, (n) => post(service, sender, 'server', `not json ${n}`));
  const text = { headers: { 'Content-Type': 'text/plain' } };
  await times(15, (n) => post(service, sender, 'webhook', `neither ${n}`, text));
  await post(service, await secondForm(sender), 'webhook', 'not json', { secret: 'wrong' });
  await world.written();
  const classes = (await world.rowsOf(sender)).map((row) => row.class);
  expect([classes.filter((one) => one === 'C').length, classes.length]).toEqual([20, 21]);
  clock.advance(hourMs);
  await post(service, sender, 'server', 'not json');
  await world.waitFor(sender, 22);
  expect(await world.missedOf(sender)).toBe(10);
});

test('of unproven requests, 100 a minute are kept per workspace, however many forms it has, and proven ones beside them', async () => {
  const sender = await createSender(service);
  const forms = [sender, await secondForm(sender)];
  clock.advance(minuteMs - (clock.now() % minuteMs));
  const before = await metricOf(service, 'leadgate_not_held_requests_total{cause="limit"}');
  await times(130, (n) =>
    post(service, forms[n % 2] as Sender, 'webhook', JSON.stringify({ n }), { secret: 'wrong' }),
  );
  await service.api('PATCH', formPath(sender), { active: false });
  await times(50, (n) => post(service, sender, 'server', JSON.stringify({ n })));
  const rows = await world.waitFor(sender, 150);
  const kept = (kind: string) => rows.filter((row) => row.class === kind).length;
  expect([kept('D'), kept('A')]).toEqual([100, 50]);
  expect(await metricOf(service, 'leadgate_not_held_requests_total{cause="limit"}')).toBe(before + 30);
  expect(await world.missedOf(sender)).toBe(0);
  clock.advance(minuteMs);
  await post(service, sender, 'webhook', someLead, { secret: 'wrong' });
  await post(service, forms[1] as Sender, 'webhook', someLead, { secret: 'wrong' });
  await world.waitFor(sender, 151);
});

test('of 6,000 proven leads in one minute, 1,000 are accepted, 5,000 kept and none is missing', async () => {
  const sender = await createSender(service);
  clock.advance(minuteMs);
  const before = await metricOf(service, 'leadgate_held_requests_total');
  const answers = await times(6_000, (n) =>
    post(service, sender, 'server', JSON.stringify({ n, email: `a${n}@example.com`, text: 'x'.repeat(300) })),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1_000);
  const rows = await world.waitFor(sender, 5_000);
  const numberOf = (text: string): number => JSON.parse(text).n;
  const leads = (await leadsOf(service, sender)).map(({ fields }) => fields.n);
  const held = rows.map((row) => numberOf(opened(row).body?.toString() ?? ''));
  expect(new Set([...leads, ...held]).size).toBe(6_000);
  expect([leads.length, held.length]).toEqual([1_000, 5_000]);
  expect(rows.every((row) => row.class === 'A' && row.reason === 'rate_limited_minute')).toBe(true);
  expect(await world.missedOf(sender)).toBe(0);
  expect(await metricOf(service, 'leadgate_held_requests_total')).toBe(before + 5_000);
});

test('no text of a kept body, and no key of its sender, is anywhere in the database', async () => {
  const sender = await createSender(service);
  const canary = 'Canary-4711';
  const body = JSON.stringify({ email: `${canary}@example.com`, name: canary, text: canary.repeat(20) });
  await post(service, sender, 'webhook', body, { timestamp: '1700000000', key: canary });
  await post(service, sender, 'server', body, { headers: { 'Content-Type': canary } });
  await post(service, sender, 'server', `${canary} is no JSON`, { key: canary });
  await post(service, sender, 'webhook', body, { secret: 'wrong', key: canary });
  const kept = await world.waitFor(sender, 4);
  expect(kept.map((row) => row.class).toSorted()).toEqual(['A', 'B', 'C', 'D']);
  const entriesOf = async () => (await diagnosticsOf(service, sender)).items;
  const entries = await eventually(entriesOf, (items) => items.length === 4);
  expect(entries.map((entry: { reason: string }) => entry.reason)).toContain('content_type_unsupported');
  const { rows: columns } = await world.pool.query<{ table: string; column: string }>(
    `select c.oid::regclass as table, quote_ident(a.attname) as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`,
  );
  expect(columns.length).toBeGreaterThan(100);
  const needles = [canary, canary.toLowerCase(), Buffer.from(canary).toString('hex')];
  for (const { table, column } of columns) {
    const { rowCount } = await world.pool.query(
      `select from ${table} where ${column}::text like any ($1) or ${column}::text ~ $2`,
      [needles.map((needle) => `%${needle}%`), canary],
    );
    expect(rowCount, `${table}.${column}`).toBe(0);
  }
});
