import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/time/clock.ts';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';
import { createPageForm, type PageForm, shop } from './page-form.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let form: PageForm;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
beforeEach(async () => {
  form = await createPageForm(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const read = (query = '', path = form.path) => service.api('GET', `${path}/activity${query}`);

async function count(of: PageForm, origin: string, step: string, times: number, msAgo: number) {
  const at = clock.now() - msAgo;
  await seed.query(
    `insert into mint_counts (shard, workspace_id, form_id, minute, origin, step, count, last_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      shardOf(of.workspaceId),
      of.workspaceId,
      of.formId,
      new Date(at - (at % minuteMs)),
      origin,
      step,
      times,
      new Date(at),
    ],
  );
}

const ago = (ms: number) => new Date(clock.now() - ms).toISOString();

test('a form that no page has used yet shows nothing', async () => {
  const { status, json } = await read();
  expect(status).toBe(200);
  expect(json).toEqual({ since: ago(dayMs), origins: [], last_seen: null });
});

test('the steps of each origin are added up, and refusals by reason', async () => {
  const blog = 'https://blog.example.com';
  await count(form, shop, 'challenged', 3, 2 * hourMs);
  await count(form, shop, 'challenged', 4, hourMs);
  await count(form, shop, 'minted', 5, hourMs);
  await count(form, shop, 'used', 2, hourMs);
  await count(form, shop, 'accepted', 1, hourMs);
  await count(form, shop, 'refused:challenge_failed', 6, 2 * hourMs);
  await count(form, blog, 'challenged', 1, 3 * hourMs);
  await count(form, '', 'refused:origin_not_allowed', 9, minuteMs);
  const none = { challenged: 0, minted: 0, used: 0, accepted: 0, refused: {} };
  const { json } = await read();
  expect(json.origins).toEqual([
    { ...none, origin: '', refused: { origin_not_allowed: 9 }, last_at: ago(minuteMs) },
    {
      origin: shop,
      challenged: 7,
      minted: 5,
      used: 2,
      accepted: 1,
      refused: { challenge_failed: 6 },
      last_at: ago(hourMs),
    },
    { ...none, origin: blog, challenged: 1, last_at: ago(3 * hourMs) },
  ]);
  expect(json.last_seen).toEqual({ origin: shop, at: ago(hourMs) });
});

test('only the asked time counts', async () => {
  await count(form, shop, 'challenged', 1, 10 * minuteMs);
  await count(form, shop, 'minted', 1, 3 * dayMs);
  expect((await read('?minutes=5')).json.origins).toEqual([]);
  expect((await read('?minutes=60')).json.origins).toMatchObject([{ challenged: 1, minted: 0 }]);
  expect((await read('?minutes=10080')).json.origins).toMatchObject([{ challenged: 1, minted: 1 }]);
  for (const minutes of ['4', '10081', 'x'])
    expect((await read(`?minutes=${minutes}`)).json.errors[0].field).toBe('minutes');
});

test("another form's and another workspace's pages are not shown", async () => {
  await count(form, shop, 'challenged', 1, minuteMs);
  const sister = await createPageForm(service, form.workspaceId);
  expect((await read('', sister.path)).json.origins).toEqual([]);
  const other = await createWorkspace(service);
  const { status, json } = await read('', `/workspaces/${other}/forms/${form.formId}/browser`);
  expect([status, json.detail]).toEqual([404, 'There is no such form.']);
});
