import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertPerson } from '../../src/db/people/people.ts';
import { takeSetupTokens } from '../../src/db/people/setup-tokens.ts';
import { hashLinkToken } from '../../src/manage/people/link-token.ts';
import { createSetupLink } from '../../src/manage/people/setup.ts';
import { Browser, goodPassword, join } from '../support/browser/browser.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
// As if nobody had an account. The service keeps none of this in memory.
beforeEach(async () => {
  for (const table of ['setup_tokens', 'people', 'audit_log', 'workspaces'])
    await pool.query(`delete from ${table}`);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

async function newToken(): Promise<string> {
  const { clock, url } = service;
  const link = await createSetupLink({ pool, clock, publicUrl: () => url });
  expect(link?.startsWith(`${url}/setup#token=`)).toBe(true);
  return link?.split('#token=')[1] as string;
}

const ada = { name: 'Ada', email: 'Ada@Example.com', password: goodPassword, workspace_name: 'Engines' };

test('the setup link creates the first owner, who is the operator, and their workspace, and signs them in', async () => {
  const browser = new Browser(service.url);
  expect((await browser.api('GET', '/setup')).json).toEqual({ needed: true });
  const answer = await browser.api('POST', '/setup', { token: await newToken(), ...ada });
  expect(answer.status).toBe(201);
  const me = await browser.api('GET', '/me');
  expect(me.json).toEqual({
    user: { id: expect.any(String), name: 'Ada', email: 'ada@example.com', operator: true },
    may_create_workspaces: true,
    workspaces: [{ id: expect.any(String), name: 'Engines', status: 'active', role: 'owner' }],
  });
  expect(answer.json).toEqual(me.json);
  expect((await browser.api('GET', '/setup')).json).toEqual({ needed: false });
  const { json: log } = await browser.api('GET', '/operator/audit');
  expect(log.items).toMatchObject([
    { text: 'Ada set up the service', target: { person_id: me.json.user.id } },
  ]);
});

test('the next person is no operator and creates no workspaces until the operator lets everyone, or creates one for them', async () => {
  const first = new Browser(service.url);
  await first.api('POST', '/setup', { token: await newToken(), ...ada });
  const { json: me } = await first.api('GET', '/me');
  const second = await join(service, me.workspaces[0].id, 'second@example.com', 'owner');
  const { json: next } = await second.api('GET', '/me');
  expect([next.user.operator, next.may_create_workspaces]).toEqual([false, false]);
  const refused = await second.api('POST', '/workspaces', { name: 'Mine' });
  expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining('Ask one')]);
  for (let i = 0; i < 11; i++)
    expect((await first.api('POST', '/workspaces', { name: `For others ${i}` })).status).toBe(201);
  await first.api('PUT', '/operator/settings', { workspace_creation: 'everyone' });
  expect((await second.api('POST', '/workspaces', { name: 'Mine' })).status).toBe(201);
  await first.api('PUT', '/operator/settings', { workspace_creation: null });
});

test('a person who joined before anyone used the setup link stays as they are, and the link no longer works', async () => {
  const token = await newToken();
  const { json: workspace } = await service.api('POST', '/workspaces', { name: 'By the key' });
  const invited = await join(service, workspace.id, 'invited@example.com', 'owner');
  expect((await invited.api('GET', '/me')).json.user.operator).toBe(false);
  const late = await new Browser(service.url).api('POST', '/setup', { token, ...ada });
  expect([late.status, late.json.code]).toEqual([404, 'not_found']);
  expect((await pool.query('select from people where operator')).rows).toEqual([]);
});

test('by default a service hashes passwords at the real cost', async () => {
  const real = await startTestService({ databaseUrl: service.databaseUrl, passwordCost: 'real' });
  const answer = await new Browser(real.url).api('POST', '/setup', { token: await newToken(), ...ada });
  await real.stop();
  expect(answer.status).toBe(201);
  const { rows } = await pool.query('select password from credentials');
  expect(rows).toEqual([{ password: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
});

test('a setup link works once, and ends all earlier ones', async () => {
  const [first, second] = [await newToken(), await newToken()];
  const browser = new Browser(service.url);
  expect((await browser.api('POST', '/setup', { token: first, ...ada })).status).toBe(201);
  for (const token of [first, second]) {
    const again = await new Browser(service.url).api('POST', '/setup', {
      token,
      ...ada,
      email: 'b@example.com',
    });
    expect([again.status, again.json.code]).toEqual([404, 'not_found']);
  }
  const { clock, url } = service;
  expect(await createSetupLink({ pool, clock, publicUrl: () => url })).toBeNull();
});

test('when many use setup links at the same time, one becomes the owner and operator', async () => {
  const tokens = [await newToken(), await newToken()];
  const answers = await Promise.all(
    [...tokens, ...tokens].map((token, i) =>
      new Browser(service.url).api('POST', '/setup', { token, ...ada, email: `p${i}@example.com` }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
  expect((await pool.query('select operator from people')).rows).toEqual([{ operator: true }]);
  expect((await pool.query('select count(*) from workspaces')).rows[0].count).toBe(1);
});

test('another link that is used while the first owner is being created is refused', async () => {
  const [first, second] = [hashLinkToken(await newToken()), hashLinkToken(await newToken())];
  const [winner, loser] = [await pool.connect(), await pool.connect()];
  await winner.query('begin');
  await loser.query('begin');
  expect(await takeSetupTokens(winner, first, new Date())).toBe(true);
  const invitedBy = { kind: 'setup', id: null, name: null, email: null } as const;
  const account = { passwordHash: 'x', createdAt: new Date(), invitedBy };
  await insertPerson(winner, { ...ada, email: 'a@example.com', ...account });
  const late = takeSetupTokens(loser, second, new Date());
  await untilSomebodyWaits(winner);
  await winner.query('commit');
  expect(await late).toBe(false);
  await loser.query('rollback');
  winner.release();
  loser.release();
});

async function untilSomebodyWaits(client: pg.PoolClient): Promise<void> {
  const waiting = async () => {
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  expect(await eventually(waiting, (count) => count > 0)).toBeGreaterThan(0);
}

test('the first owner takes over the starter workspace with its contents, and renames it', async () => {
  const starter = await service.api('POST', '/workspaces', { name: 'Starter workspace' });
  const browser = new Browser(service.url);
  await browser.api('POST', '/setup', { token: await newToken(), ...ada });
  const me = await browser.api('GET', '/me');
  expect(me.json.workspaces).toMatchObject([{ id: starter.json.id, name: 'Engines' }]);
});

test('a setup link expires after 24 hours, and the next start prints a new one', async () => {
  const token = await newToken();
  const setUp = (link: string) => new Browser(service.url).api('POST', '/setup', { token: link, ...ada });
  await pool.query("update setup_tokens set created_at = created_at - interval '24 hours'");
  const late = await setUp(token);
  expect([late.status, late.json.code]).toEqual([404, 'not_found']);
  expect((await setUp(await newToken())).status).toBe(201);
});

test('a setup link is stored only as a hash', async () => {
  const token = await newToken();
  const { rows } = await pool.query("select encode(token_hash, 'escape') as text from setup_tokens");
  expect(rows).toHaveLength(1);
  expect(rows[0].text).not.toContain(token);
});

test.each([
  ['short', 'must have at least 10 characters'],
  ['Password123', 'is too common'],
  ['qwertyuiop', 'is too common'],
  ['Welcome2026!', 'is too common'],
  ['ababababababab', 'repeats the same few characters'],
  ['ada@example.com', 'must not be based on your email address'],
])('the password %s is refused, and the link stays usable', async (password, message) => {
  const token = await newToken();
  const browser = new Browser(service.url);
  const refused = await browser.api('POST', '/setup', { token, ...ada, password });
  expect(refused.status).toBe(422);
  expect(refused.json.errors).toEqual([{ field: 'password', message }]);
  expect((await browser.api('POST', '/setup', { token, ...ada })).status).toBe(201);
});
