import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { sign } from '../../src/domain/signature.ts';
import { minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { diagnosticsOf, eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { countsSignaturesOnce } from '../support/replay-protection.ts';
import {
  type Answer,
  createSender,
  expectRejected,
  type HeaderList,
  pathOf,
  post,
  type Sender,
  send,
  someLead,
  submissionIdOf,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useUp } from '../support/used-limits.ts';

const start = Date.UTC(2026, 5, 1, 12);
const clock = new ManualClock(start);
let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
  second = await startTestService({ clock, databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

/** A recorded signed request that can be sent any number of times. */
function recorded(sender: Sender, body = someLead) {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signature = sign(sender.secret, timestamp, Buffer.from(body)).toString('hex');
  return (own: { key?: string; signature?: string; to?: TestService } = {}): Promise<Answer> => {
    const headers: HeaderList = {
      'Content-Type': 'application/json',
      'X-SVC-Timestamp': timestamp,
      'X-SVC-Signature': own.signature ?? signature,
    };
    if (own.key !== undefined) headers['X-SVC-Idempotency-Key'] = own.key;
    return send((own.to ?? service).url + pathOf(sender, 'webhook'), 'POST', headers, body);
  };
}

async function protect(sender: Sender, replay_protection: string): Promise<void> {
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  const { status, json } = await service.api('PATCH', path, { replay_protection });
  expect({ status, protection: json.replay_protection }).toEqual({
    status: 200,
    protection: replay_protection,
  });
}

async function isKnownToSecond(sender: Sender): Promise<void> {
  const first = recorded(sender, '{"is":"known"}');
  await eventually(
    () => first({ to: second }),
    ({ status }) => status === 202,
  );
}

const notesOf = async (sender: Sender) => (await diagnosticsOf(service, sender)).notes;

describe('a replay without a key', () => {
  test('is the same submission: it gets the original response and makes no second lead', async () => {
    const sender = await createSender(service);
    const request = recorded(sender);
    const first = await request();
    clock.advance(4 * minuteMs);
    const again = await request();
    expect(first.status).toBe(202);
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(await leadsOf(service, sender)).toHaveLength(1);
  });

  test('is recognised however its signature is written', async () => {
    const sender = await createSender(service);
    const request = recorded(sender);
    const signature = sign(
      sender.secret,
      String(Math.floor(clock.now() / 1000)),
      Buffer.from(someLead),
    ).toString('hex');
    const first = await request();
    expect((await request({ signature: signature.toUpperCase() })).body).toBe(first.body);
    expect((await request({ signature: `sha256=${signature}` })).body).toBe(first.body);
    expect(await leadsOf(service, sender)).toHaveLength(1);
  });

  test('has an id that starts with the signed time', async () => {
    const sender = await createSender(service);
    const id = submissionIdOf(await recorded(sender)());
    const signedAt = Math.floor(clock.now() / 1000) * 1000;
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(signedAt);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('makes one lead when 200 copies race across two instances', async () => {
    const sender = await createSender(service);
    await isKnownToSecond(sender);
    const request = recorded(sender);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => request({ to: n % 2 ? service : second })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(await leadsOf(service, sender)).toHaveLength(2);
  });

  test('does not make its batch fail, be halved or be stored twice', async () => {
    const sender = await createSender(service);
    await isKnownToSecond(sender);
    const copied = recorded(sender, '{"copied":true}');
    await copied();
    const commits = () => metricOf(service, 'leadgate_commit_batch_rows_count');
    const before = await commits();
    const database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    // Blocks a commit until all following leads wait in one batch.
    await database.query('begin');
    await database.query('lock table rate_windows in access exclusive mode');
    const held = post(service, sender, 'server', '{"first":1}');
    await eventually(
      async () =>
        (await database.query(`select count(*)::int as n from pg_locks where not granted`)).rows[0].n,
      (n) => n > 0,
    );
    const neighbours = Array.from({ length: 20 }, (_, n) => post(service, sender, 'webhook', `{"n":${n}}`));
    const copies = Array.from({ length: 5 }, () => copied());
    await eventually(
      () => metricOf(service, 'leadgate_commit_queue_depth'),
      (depth) => depth >= 25,
    );
    await database.query('rollback');
    await database.end();
    const answers = await Promise.all([held, ...neighbours, ...copies]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set((await Promise.all(copies)).map(({ body }) => body)).size).toBe(1);
    expect(await leadsOf(service, sender, '?limit=200')).toHaveLength(1 + 1 + 1 + 20);
    // The blocked commit, and one for all other leads.
    expect((await commits()) - before).toBe(2);
  });

  test('is recognised before the rate limit, and does not count against it', async () => {
    const sender = await createSender(service);
    await useUp(service, sender, 'webhook', { minute: submissionsPerMinuteMax - 20 });
    const request = recorded(sender, '{"n":"first"}');
    const first = await request();
    await Promise.all(Array.from({ length: 50 }, () => request()));
    const answers = await Promise.all(
      Array.from({ length: 19 }, (_, n) => post(service, sender, 'webhook', `{"n":${n}}`)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(19);
    expectRejected(await post(service, sender, 'webhook', '{"n":"over"}'));
    expect((await request()).body).toBe(first.body);
    clock.advance(minuteMs);
  });

  test('of a request that was over the limit is checked again', async () => {
    const sender = await createSender(service);
    await useUp(service, sender, 'webhook', { minute: submissionsPerMinuteMax });
    const request = recorded(sender, '{"n":"over"}');
    expectRejected(await request());
    clock.advance(minuteMs);
    expect((await request()).status).toBe(202);
  });

  test('is not confused with another body, another second or another form', async () => {
    const [sender, other] = [await createSender(service), await createSender(service)];
    const path = `/workspaces/${other.workspaceId}/forms/${other.formId}/webhook-secret`;
    await service.api('PUT', path, { secret: sender.secret });
    const answers = [await recorded(sender)(), await recorded(sender, '{"other":1}')()];
    // The same secret, time and body, and therefore the same signature, for a form of another workspace.
    answers.push(await recorded({ ...other, secret: sender.secret })());
    clock.advance(1_000);
    answers.push(await recorded(sender)());
    expect(new Set(answers.map(submissionIdOf)).size).toBe(4);
  });
});

describe('by default, with a key', () => {
  test('a replay is a new submission and leaves a note for the owner', async () => {
    const sender = await createSender(service);
    const request = recorded(sender);
    const first = await request();
    const keyed = await request({ key: 'mine' });
    expect(keyed.status).toBe(202);
    expect(keyed.body).not.toBe(first.body);
    expect(await leadsOf(service, sender)).toHaveLength(2);
    const notes = await eventually(
      () => notesOf(sender),
      (found) => found.length > 0,
    );
    expect(notes).toMatchObject([{ kind: 'signature_repeated', submission_id: submissionIdOf(keyed) }]);
  });

  test('an unkeyed replay of a keyed original is a new submission and leaves a note for the owner', async () => {
    const sender = await createSender(service);
    const request = recorded(sender);
    const keyed = await request({ key: 'mine' });
    const copy = await request();
    expect(copy.status).toBe(202);
    expect(copy.body).not.toBe(keyed.body);
    // From here on, the rule for requests without a key applies to the replay.
    expect((await request()).body).toBe(copy.body);
    const notes = await eventually(
      () => notesOf(sender),
      (found) => found.length > 0,
    );
    expect(notes).toMatchObject([{ kind: 'signature_repeated', submission_id: submissionIdOf(copy) }]);
  });
});

describe('when every signature counts once', () => {
  test.each([
    ['a keyed replay of an unkeyed original', undefined, 'b'],
    ['an unkeyed replay of a keyed original', 'a', undefined],
    ['a replay with another key', 'a', 'b'],
  ])('%s is a duplicate on every instance', async (_, firstKey, secondKey) => {
    const sender = await createSender(service);
    await protect(sender, 'all');
    await countsSignaturesOnce(second, sender);
    const before = (await leadsOf(service, sender)).length;
    const request = recorded(sender);
    const under = (key: string | undefined) => (key === undefined ? {} : { key });
    const first = await request(under(firstKey));
    expect(await request(under(secondKey))).toMatchObject({ status: 202, body: first.body });
    expect((await request({ ...under(secondKey), to: second })).body).toBe(first.body);
    expect(await leadsOf(service, sender)).toHaveLength(before + 1);
    // The key of the replay now belongs to the original too, whatever is signed next.
    if (secondKey !== undefined) {
      const resigned = await post(service, sender, 'webhook', '{"other":1}', { key: secondKey });
      expect(resigned.body).toBe(first.body);
    }
  });

  test('replays with many keys that race across two instances make one lead', async () => {
    const sender = await createSender(service);
    await protect(sender, 'all');
    await countsSignaturesOnce(second, sender);
    const before = (await leadsOf(service, sender)).length;
    const request = recorded(sender);
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        request({ to: n % 2 ? service : second, ...(n % 3 === 0 ? {} : { key: `k-${n % 7}` }) }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(await leadsOf(service, sender)).toHaveLength(before + 1);
  });

  test('a request over the limit uses up neither its key nor its signature', async () => {
    const sender = await createSender(service);
    await protect(sender, 'all');
    await useUp(service, sender, 'webhook', { minute: submissionsPerMinuteMax });
    const request = recorded(sender, '{"n":"over"}');
    expectRejected(await request({ key: 'over' }));
    clock.advance(minuteMs);
    const taken = await request();
    expect(taken.status).toBe(202);
    expect((await request({ key: 'over' })).body).toBe(taken.body);
  });
});

test('when the owner turns it off, each replay makes another lead and leaves no note', async () => {
  const sender = await createSender(service);
  await protect(sender, 'off');
  const request = recorded(sender);
  const answers = [await request(), await request(), await request()];
  expect(new Set(answers.map(submissionIdOf)).size).toBe(3);
  const counted = await eventually(
    () => diagnosticsOf(service, sender),
    ({ totals }) => totals.accepted === 3,
  );
  expect(counted.notes).toEqual([]);
});

test('a form shows its replay protection and accepts no other values', async () => {
  const sender = await createSender(service);
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  expect((await service.api('GET', path)).json.replay_protection).toBe('unkeyed');
  expect((await service.api('PATCH', path, { replay_protection: 'sometimes' })).status).toBe(422);
});
