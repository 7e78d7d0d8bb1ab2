import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';

interface Statement {
  readonly id: string;
  readonly state: string;
  readonly text: string;
  readonly advice?: string;
}

const clock = new ManualClock(Date.now());
let service: TestService;
let seed: Seed;
let token: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  const workspaceId = await createWorkspace(service);
  const form = await createForm(service, workspaceId);
  const body = { name: 'T', form_id: form.id };
  token = (await service.api('POST', `/workspaces/${workspaceId}/tokens`, body)).json.token;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

async function statements(): Promise<Statement[]> {
  const { status, json } = await service.api('GET', '/operator/health');
  expect(status).toBe(200);
  return json.statements;
}

test('the health is in sentences, with the leads that arrived and the commits that stored them', async () => {
  const lead = await fetch(`${service.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"email":"ada@example.com"}',
  });
  expect(lead.status).toBe(202);
  const { json } = await service.api('GET', '/operator/health');
  const ids = json.statements.map(({ id }: Statement) => id);
  for (const id of ['database', 'spool', 'quarantine', 'commits', 'queue', 'disk', 'enrichment', 'version'])
    expect(ids).toContain(id);
  expect(json.statements.find(({ id }: Statement) => id === 'commits').text).toMatch(
    /^Leads are stored within [\d.,]+ ms \(p50\) and [\d.,]+ ms \(p99\)\.$/,
  );
  expect(json.instance).toEqual({
    host: expect.any(String),
    process_id: process.pid,
    role: 'all',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    started_at: expect.any(String),
    uptime_seconds: expect.any(Number),
  });
  expect(json.commit).toEqual({ p50_ms: expect.any(Number), p99_ms: expect.any(Number) });
});

test('a clock that is wrong and a job that nobody runs come first, with what to do', async () => {
  const notes = (await statements()).filter(({ state }) => state !== 'ok').map(({ id }) => id);
  expect(notes).not.toContain('enrichment');
  await seed.query(
    `select graphile_worker.add_job('nobody_runs_this', '{}'::json, run_at => now() - interval '20 minutes')`,
  );
  clock.advance(10 * 60_000);
  const all = await statements();
  const first = all.filter(({ state }) => state !== 'ok');
  expect(first).toEqual(all.slice(0, first.length));
  expect(first.find(({ id }) => id === 'enrichment')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('the oldest for 20 min.'),
    advice: expect.stringContaining('ROLE'),
  });
  expect(first[0]).toMatchObject({
    id: 'clock',
    state: 'problem',
    text: expect.stringContaining('ahead of'),
  });
});

test('the series of an instance starts empty and says which instance it is', async () => {
  const { status, json } = await service.api('GET', '/operator/health/series');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    instance: { process_id: process.pid },
    step_seconds: 30,
    points_max: 120,
    points: expect.any(Array),
  });
});
