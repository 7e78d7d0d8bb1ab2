import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { shardOf } from '../../src/domain/workspace.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

async function connected(databaseUrl = service.databaseUrl): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: databaseUrl });
  onTestFinished(() => database.end());
  await database.connect();
  return database;
}

async function lead(fields: object): Promise<{ id: string; at: string }> {
  const id = submissionIdOf(await post(service, sender, 'server', JSON.stringify(fields)));
  return { id, at: `/workspaces/${sender.workspaceId}/leads/${id}` };
}

test('the score is stored with the lead before the 202, and its reasons add up to the risk', async () => {
  const { at } = await lead({ email: 'someone@mailinator.com', name: 'http://spam.example' });
  const { json } = await service.api('GET', at);
  const sum = json.reasons.reduce((total: number, { points }: { points: number }) => total + points, 0);
  expect(json).toMatchObject({ risk: sum, verdict: 'spam', score: 0, grade: 'E' });
});

test('a missing required field never rejects a lead; it is one of the reasons', async () => {
  const own = await createSender(service);
  const fields = [{ key: 'phone', required: true }];
  await service.api('PATCH', `/workspaces/${own.workspaceId}/forms/${own.formId}`, { fields });
  const answer = await post(service, own, 'server', '{"email":"ada@analytical.engine"}');
  expect(answer.status).toBe(202);
  const { json } = await service.api('GET', `/workspaces/${own.workspaceId}/leads/${submissionIdOf(answer)}`);
  expect(json.reasons).toMatchObject([{ code: 'FIELD_MISSING', field: 'phone' }]);
});

test('a lead that is sent again and again is spam from the third time on, and the first stays clean', async () => {
  const own = await createSender(service);
  const body = JSON.stringify({
    email: 'ada@engines.io',
    message: 'Please call me about the offer of last week.',
  });
  const verdicts: string[] = [];
  for (let time = 0; time < 3; time++) {
    const id = submissionIdOf(await post(service, own, 'server', body));
    verdicts.push((await service.api('GET', `/workspaces/${own.workspaceId}/leads/${id}`)).json.verdict);
  }
  expect(verdicts).toEqual(['clean', 'clean', 'spam']);
});

test('a retry with an idempotency key does not count as a repeat', async () => {
  const own = await createSender(service);
  const body = JSON.stringify({
    email: 'ada@engines.io',
    message: 'Please call me about the offer of last week.',
  });
  for (let time = 0; time < 5; time++) await post(service, own, 'server', body, { key: 'same' });
  const id = submissionIdOf(await post(service, own, 'server', body));
  const { json } = await service.api('GET', `/workspaces/${own.workspaceId}/leads/${id}`);
  expect(json.reasons).toMatchObject([{ code: 'REPEAT_BODY', points: 25, family: 'repeat', axis: 'risk' }]);
});

test('new settings of a form apply to the next lead', async () => {
  const own = await createSender(service);
  const at = `/workspaces/${own.workspaceId}/forms/${own.formId}/scoring`;
  await service.api('PUT', at, { settings: { honeypot: ['fax'] } });
  const id = submissionIdOf(await post(service, own, 'server', '{"email":"ada@engines.io","fax":"1"}'));
  const { json } = await service.api('GET', `/workspaces/${own.workspaceId}/leads/${id}`);
  expect(json).toMatchObject({ verdict: 'spam', risk: 100, ruleset: expect.stringMatching(/\+form\.1$/) });
});

test('a clean lead is enriched afterwards, without the network', async () => {
  const { at } = await lead({ email: 'ada@gmail.com', phone: '+44 20 7946 0958' });
  const enriched = await eventually(
    async () => (await service.api('GET', at)).json,
    ({ enrichment }) => enrichment !== null,
  );
  expect(enriched.enrichment).toMatchObject({
    status: 'builtin_only',
    email: { domain: 'gmail.com', class: 'free' },
    phone: { e164: '+442079460958', country: 'GB' },
  });
  for (const id of ['mx', 'site', 'external'])
    expect(enriched.enrichment.providers).toContainEqual(
      expect.objectContaining({ id, outcome: 'skip', why: 'offline' }),
    );
});

test('a lead that is not clean is not enriched', async () => {
  const suspect = await lead({ email: 'x@mailinator.com' });
  const clean = await lead({ email: 'ada@gmail.com' });
  await eventually(
    async () => (await service.api('GET', clean.at)).json,
    ({ enrichment }) => enrichment !== null,
  );
  expect((await service.api('GET', suspect.at)).json).toMatchObject({ verdict: 'suspect', enrichment: null });
});

test('a batch that was noted twice, because its commit was retried, is still enriched', async () => {
  const database = await connected();
  const { id, at } = await lead({ email: 'ada@gmail.com' });
  const enrichedAt = async () => (await service.api('GET', at)).json.enrichment?.enriched_at;
  const first = await eventually(enrichedAt, (time) => time !== undefined);
  const note = `insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids)
    select shard, array[shard], array[workspace_id], array[submission_id] from leads where submission_id = $1`;
  await database.query(`with twice as (${note} returning 1) ${note}`, [id]);
  expect(await eventually(enrichedAt, (time) => time !== first)).not.toBe(first);
});

test('enrichment continues after the database has dropped its connections in the middle of a job', async () => {
  const database = await connected();
  // Makes the job wait, so that its connection is cut while it runs.
  await database.query('begin');
  await database.query('lock table lead_enrichments in access exclusive mode');
  const { at } = await lead({ email: 'ada@gmail.com' });
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await eventually(
    async () => (await database.query(waiting)).rowCount,
    (count) => count === 1,
  );
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await database.query('rollback');
  const { at: later } = await lead({ email: 'ada@gmail.com' });
  const enrichment = async (path: string) => (await service.api('GET', path)).json?.enrichment;
  expect(
    await eventually(
      () => enrichment(later),
      (found) => found != null,
    ),
  ).toBeTruthy();
  expect(
    await eventually(
      () => enrichment(at),
      (found) => found != null,
    ),
  ).toBeTruthy();
});

test('the next instance runs a job whose worker was killed', async () => {
  // This instance runs no jobs, so that the next one finds this job.
  const keeper = await startTestService({ env: { ROLE: 'manage' } });
  const { databaseUrl } = keeper;
  const before = await startTestService({ databaseUrl });
  const database = await connected(databaseUrl);
  const own = await createSender(before);
  const id = submissionIdOf(await post(before, own, 'server', '{"email":"ada@gmail.com"}'));
  const enrichedAt = async () => {
    const { json } = await keeper.api('GET', `/workspaces/${own.workspaceId}/leads/${id}`);
    return json.enrichment?.enriched_at;
  };
  const first = await eventually(enrichedAt, (time) => time !== undefined);
  await before.stop();
  await database.query('begin');
  await database.query(
    `select graphile_worker.add_job('enrich', json_build_object('leads', json_build_array(
       json_build_array($1::smallint, $2::uuid, $3::uuid))))`,
    [shardOf(own.workspaceId), own.workspaceId, id],
  );
  await database.query(
    `update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now() - interval '10 minutes'`,
  );
  await database.query('commit');
  expect(await enrichedAt()).toBe(first);
  const next = await startTestService({ databaseUrl });
  expect(await eventually(enrichedAt, (time) => time !== first)).not.toBe(first);
  await next.stop();
  await database.end();
  await keeper.stop();
});
