import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { createSender, post, submissionIdOf } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from './seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T09:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let owner: Browser;
let member: Browser;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service);
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
  member = await join(service, workspaceId, 'member@example.com', 'member');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const at = (id: string, rest = '') => `/workspaces/${workspaceId}/leads/${id}${rest}`;
const historyOf = async (id: string, person: Browser = owner) =>
  (await person.api('GET', at(id, '/history'))).json;

async function asked(
  submissionId: string,
  provider: string,
  outcome: string,
  observedAt: string,
): Promise<void> {
  await seed.query(
    `insert into enrichment_results (shard, workspace_id, submission_id, provider, version, outcome, why, fields,
       attempts, duration_ms, cached, observed_at) values ($1, $2, $3, $4, 1, $5, 'no_input', '[]', 2, 31, true, $6)`,
    [shardOf(workspaceId), workspaceId, submissionId, provider, outcome, observedAt],
  );
}

test('a history shows everything that happened to a lead, newest first', async () => {
  const id = await seed.lead(workspaceId, {
    verdict: 'suspect',
    score: 12,
    risk: 55,
    grade: 'D',
    ruleset: 'r3+form.7',
  });
  await asked(id, 'dns', 'found', '2026-11-15T08:00:40Z');
  await asked(id, 'home_page', 'fail', '2026-11-15T08:00:50Z');
  await seed.enrichment(workspaceId, id, { status: 'partial' });
  // Not as clean: that would have the lead enriched while its history is read.
  await member.api('PUT', at(id, '/mark'), { mark: 'spam' });
  clock.advance(1_000);
  await owner.api('PUT', at(id, '/mark'), { mark: null });
  const lookup = { kind: 'asked', why: 'no_input', attempts: 2, ms: 31, cached: true };
  expect(await historyOf(id)).toEqual({
    items: [
      { kind: 'marked', at: '2026-11-15T09:00:01.000Z', by: 'owner@example.com', mark: null },
      { kind: 'marked', at: '2026-11-15T09:00:00.000Z', by: 'member@example.com', mark: 'spam' },
      { kind: 'enriched', at: '2026-11-15T08:01:00.000Z', status: 'partial' },
      { ...lookup, at: '2026-11-15T08:00:50.000Z', provider: 'home_page', outcome: 'fail' },
      { ...lookup, at: '2026-11-15T08:00:40.000Z', provider: 'dns', outcome: 'found' },
      {
        kind: 'scored',
        at: '2026-11-15T08:00:00.000Z',
        verdict: 'suspect',
        score: 12,
        grade: 'D',
        risk: 55,
        ruleset: 'r3+form.7',
      },
      { kind: 'received', at: '2026-11-15T08:00:00.000Z', surface: 'server', token: null },
    ],
    has_older_marks: false,
  });
});

test('a mark does not change what the history says the scorer found', async () => {
  const id = await seed.lead(workspaceId, { verdict: 'clean' });
  await owner.api('PUT', at(id, '/mark'), { mark: 'spam' });
  expect((await historyOf(id)).items).toContainEqual(
    expect.objectContaining({ kind: 'scored', verdict: 'clean' }),
  );
});

test('a lead sent with a token names the token, even after it is revoked', async () => {
  const sender = await createSender(service);
  const id = submissionIdOf(await post(service, sender, 'server', '{"email":"ada@example.com"}'));
  const tokens = `/workspaces/${sender.workspaceId}/tokens`;
  const [token] = (await service.api('GET', tokens)).json.items;
  await service.api('DELETE', `${tokens}/${token.id}`);
  const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${id}/history`);
  expect(json.items.at(-1)).toMatchObject({ kind: 'received', token: { id: token.id, name: token.name } });
});

test('a call with an unknown outcome is shown only to owners', async () => {
  const id = await seed.lead(workspaceId, {});
  await seed.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_name, action, target, changes, completed)
     values ($1, $2, '2026-11-15T08:30:00Z', 'person', 'owner@example.com', 'eraseALead', $3, '{}', false)`,
    [randomUUID(), workspaceId, { submission_id: id }],
  );
  const call = {
    kind: 'called',
    at: '2026-11-15T08:30:00.000Z',
    by: 'owner@example.com',
    action: 'eraseALead',
    changes: {},
    outcome: 'unknown',
  };
  expect((await historyOf(id)).items).toContainEqual(call);
  expect((await historyOf(id, member)).items).not.toContainEqual(call);
});

test('an erased lead has no history, and the audit log says who erased it', async () => {
  const id = await seed.lead(workspaceId, {});
  clock.advance(1_000);
  await owner.api('DELETE', at(id));
  expect((await owner.api('GET', at(id, '/history'))).status).toBe(404);
  const { json } = await owner.api('GET', `/workspaces/${workspaceId}/audit`);
  expect(json.items[0]).toMatchObject({
    action: 'eraseALead',
    target: { submission_id: id },
    outcome: 'done',
  });
});

test('a history with very many marks has the newest, and says that there are more', async () => {
  const id = await seed.lead(workspaceId, {});
  await seed.query(
    `insert into lead_marks select $1, $2, $3, n, 'spam', timestamptz '2026-11-15T08:00:00Z' + n * interval '1 s', 'test'
     from generate_series(1, 101) as n`,
    [shardOf(workspaceId), workspaceId, id],
  );
  const { items, has_older_marks } = await historyOf(id);
  const marks = items.filter(({ kind }: { kind: string }) => kind === 'marked');
  expect(has_older_marks).toBe(true);
  expect(marks).toHaveLength(100);
  expect(marks[0].at).toBe('2026-11-15T08:01:41.000Z');
});
