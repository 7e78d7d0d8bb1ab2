import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { hostileBodies } from '../../chaos/hostile/bodies.ts';
import { isHeavy, shapeOf } from '../../src/domain/lead/body-shape.ts';
import { parseLead } from '../../src/domain/lead/lead.ts';
import { openTestPool } from '../support/database/database.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import {
  type Answer,
  createSender,
  expectRejected,
  post,
  type Sender,
  submissionIdOf,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Bodies with so many values that a thread parses and scores them. `npm run hostile` measures what they cost others. */
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

const wide = (mark: string, keys = 1_500) =>
  `{"mark":"${mark}",${Array.from({ length: keys }, (_, n) => `"k${n}":${n}`)}}`;

async function leadOf(service: TestService, { workspaceId }: Sender, answer: Answer) {
  const at = `/workspaces/${workspaceId}/leads/${submissionIdOf(answer)}`;
  return { ...(await service.api('GET', at)).json, body: (await service.api('GET', `${at}/body`)).text };
}

/** Null when the connection was closed without a response. */
const attempt = (...args: Parameters<typeof post>) => post(...args).catch(() => null);

test('each hostile body is answered like any other, and accepted ones are stored byte for byte', async () => {
  const pool = openTestPool(service.databaseUrl);
  onTestFinished(() => pool.end());
  const sendOne = async ([name, make]: [string, () => Buffer]) => {
    const body = make();
    const surface = body.length % 2 === 0 ? 'server' : 'webhook';
    const answer = await post(service, sender, surface, body);
    if (typeof parseLead(body) === 'string') return expectRejected(answer);
    expect([name, answer.status]).toEqual([name, 202]);
    const id = submissionIdOf(answer);
    const { rows } = await pool.query('select body from leads where submission_id = $1', [id]);
    expect([name, rows[0]?.body.equals(body)]).toEqual([name, true]);
  };
  await Promise.all(Object.entries(hostileBodies).map(sendOne));
});

test('a heavy body is never parsed on the main thread', async () => {
  const body = wide('never parsed here');
  expect(isHeavy(shapeOf(Buffer.from(body)))).toBe(true);
  const before = await metricOf(service, 'leadgate_heavy_leads_total');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const answers = await Promise.all([
    post(service, sender, 'server', body),
    post(service, sender, 'webhook', body, { key: 'heavy' }),
  ]);
  expect(parse.mock.calls.filter(([text]) => text.includes('never parsed here'))).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(await metricOf(service, 'leadgate_heavy_leads_total')).toBe(before + 2);
  // A light body shows that the spy works.
  await post(service, sender, 'server', '{"mark":"parsed here"}');
  expect(parse.mock.calls.filter(([text]) => text.includes('"parsed here"'))).toHaveLength(1);
});

test('every top-level key is a field, however many there are, and a finding says that not all were scored', async () => {
  const lead = await leadOf(service, sender, await post(service, sender, 'server', wide('all', 10_000)));
  expect(Object.keys(lead.fields)).toHaveLength(10_001);
  expect(lead.fields.k9999).toBe(9_999);
  expect(lead.reasons).toContainEqual(
    expect.objectContaining({ code: 'LEAD_READ_IN_PART', evidence: '1,000 values' }),
  );
});

test('one key for a heavy and a light body at the same time makes one lead', async () => {
  for (const surface of ['server', 'webhook'] as const) {
    const key = `both ${surface}`;
    const bodies = [wide('heavy'), '{"mark":"light"}', wide('heavy'), '{"mark":"light"}'];
    const answers = await Promise.all(bodies.map((body) => post(service, sender, surface, body, { key })));
    expect(new Set(answers.map(submissionIdOf)).size).toBe(1);
    expect(await post(service, sender, surface, wide('heavy'), { key })).toMatchObject({
      status: 202,
      body: answers[0]?.body,
    });
  }
});

test('a heavy body that cannot be stored is a duplicate under a known key, and rejected under any other', async () => {
  const broken = `${wide('broken')}!`;
  const first = await post(service, sender, 'server', wide('first'), { key: 'known' });
  expect(await post(service, sender, 'server', broken, { key: 'known' })).toMatchObject({
    status: 202,
    body: first.body,
  });
  expectRejected(await post(service, sender, 'server', broken, { key: 'unknown' }));
  expectRejected(await post(service, sender, 'server', broken));
});

test('credentials are checked before the body reaches the thread', async () => {
  const before = await metricOf(service, 'leadgate_heavy_leads_total');
  expectRejected(await post(service, { ...sender, token: `${sender.token}x` }, 'server', wide('a')));
  expectRejected(await post(service, sender, 'webhook', wide('a'), { secret: 'not the secret' }));
  expectRejected(
    await post(service, sender, 'server', wide('a'), { headers: { 'Content-Type': 'text/plain' } }),
  );
  expect(await metricOf(service, 'leadgate_heavy_leads_total')).toBe(before);
});

test('a body that kills the thread gets no response, and all other requests get theirs', async () => {
  const heavyWorker = new URL('../support/dying-worker.ts', import.meta.url);
  const { databaseUrl } = service;
  const own = await startTestService({ databaseUrl, heavyWorker });
  onTestFinished(() => own.stop());
  const sender = await createSender(own);
  const marks = ['a', 'die always', 'b'];
  const answers = await Promise.all(
    marks.map((mark) => attempt(own, sender, 'server', wide(mark), { key: mark })),
  );
  const light = await post(own, sender, 'server', '{"mark":"light"}');
  expect(light.status).toBe(202);
  expect(answers.map((answer) => answer?.status)).toEqual([202, undefined, 202]);
  expect(await metricOf(own, 'leadgate_heavy_thread_deaths_total')).toBe(2);
  const stored = (await leadsOf(own, sender)).map(({ submission_id }) => submission_id);
  const told = [...answers, light].flatMap((answer) => (answer === null ? [] : [submissionIdOf(answer)]));
  expect(stored.toSorted()).toEqual(told.toSorted());
  // The failed request has not used up the key.
  expect((await post(own, sender, 'server', wide('other'), { key: 'die always' })).status).toBe(202);
});

// Their number depends on the machine; a unit test in src/ingest/heavy covers the limit.
test('heavy leads over the limit of the queue get no response and are accepted when sent again', async () => {
  const sender = await createSender(service);
  const keys = Array.from({ length: 110 }, (_, n) => `many ${n}`);
  const send = (key: string) => attempt(service, sender, 'server', wide(key), { key });
  const first = await Promise.all(keys.map(send));
  expect(first.filter((answer) => answer !== null && answer.status !== 202)).toEqual([]);
  const left = keys.filter((_, n) => first[n] === null);
  for (const key of left) expect((await send(key))?.status).toBe(202);
  expect(await leadsOf(service, sender)).toHaveLength(keys.length);
});

test('a stop answers the heavy leads under way, and every accepted lead is stored', async () => {
  const sender = await createSender(service);
  const other = await startTestService({ databaseUrl: service.databaseUrl });
  const answers = Array.from({ length: 30 }, (_, n) => attempt(other, sender, 'server', wide(`${n}`)));
  await Promise.race(answers);
  await other.stop();
  const ids = (await Promise.all(answers)).flatMap((answer) =>
    answer === null ? [] : [submissionIdOf(answer)],
  );
  expect(ids.length).toBeGreaterThan(0);
  const stored = new Set((await leadsOf(service, sender)).map(({ submission_id }) => submission_id));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
});

test('heavy leads are accepted during an outage, and each is stored with all its fields afterwards', async () => {
  const world = await OutageWorld.create();
  onTestFinished(() => world.close());
  const service = await world.start();
  const sender = await createSender(service);
  await world.snapshotKept();
  await world.outage.begin();
  const names = [
    'wide: distinct keys',
    'numbers that become longer when formatted',
    'one key with many matches',
    'prototypes',
  ];
  const bodies = names.map((name) => (hostileBodies[name] as () => Buffer)());
  const answers = await Promise.all(
    bodies.map((body, n) => post(service, sender, n % 2 === 0 ? 'server' : 'webhook', body, { key: `${n}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 202));
  expect(await post(service, sender, 'server', bodies[0], { key: '0' })).toMatchObject({
    body: answers[0]?.body,
  });
  // Another process adopts the spool and drains it.
  await world.stop(service);
  const next = await world.start();
  expect(await metricOf(next, 'leadgate_spool_leads')).toBe(bodies.length);
  await world.recover(next);
  for (const [n, answer] of answers.entries()) {
    const lead = await leadOf(next, sender, answer);
    const parsed = parseLead(bodies[n] as Buffer);
    if (typeof parsed === 'string') throw new Error(parsed);
    expect(lead.body === bodies[n]?.toString()).toBe(true);
    expect(lead.fields).toEqual(JSON.parse(parsed.projection.toString()));
  }
  expect(await metricOf(next, 'leadgate_spool_damaged_total')).toBe(0);
});

test('a heavy lead is enriched from its first short texts', async () => {
  const numbers = Array.from({ length: 9_000 }, (_, n) => `"k${n}":${n}`);
  const texts = Array.from({ length: 250 }, (_, n) => `"q${n}":"yes"`);
  const answer = await post(service, sender, 'server', `{${[...numbers, ...texts]},"email":"ada@acme.de"}`);
  const lead = await eventually(
    () => leadOf(service, sender, answer),
    ({ enrichment }) => enrichment !== null,
  );
  expect(JSON.stringify(lead.enrichment)).toContain('acme.de');
  expect(Object.keys(lead.fields)).toHaveLength(9_251);
});
