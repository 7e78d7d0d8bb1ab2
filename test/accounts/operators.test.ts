import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, goodPassword, invite, join, makeOperator } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let operator: Browser;
let foreignWorkspace: string;
const email = 'operator@example.com';
let people = 0;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  operator = await join(service, await createWorkspace(service, 'Own'), email, 'owner');
  clock.advance(1000);
  foreignWorkspace = await createWorkspace(service, 'Foreign');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const idOf = async (person: Browser): Promise<string> => (await person.api('GET', '/me')).json.user.id;
const promote = (by: Pick<Browser, 'api'>, person_id: string, isOne = true) =>
  by.api('POST', '/operator/people', { person_id, operator: isOne });

async function newPerson(role = 'member', workspaceName = 'Somewhere') {
  clock.advance(1000);
  const workspaceId = await createWorkspace(service, workspaceName);
  const browser = await join(service, workspaceId, `person${people++}@example.com`, role);
  return { browser, workspaceId, id: await idOf(browser) };
}

test('the operator key grants and revokes operator permissions, with effect on the next call', async () => {
  expect((await operator.api('GET', '/operator/health')).status).toBe(403);
  const made = await makeOperator(service, operator);
  expect(made.json).toMatchObject({ email, operator: true });
  expect((await operator.api('GET', '/me')).json.user.operator).toBe(true);
  expect((await operator.api('GET', '/operator/health')).status).toBe(200);
  await makeOperator(service, operator, false);
  expect((await operator.api('GET', '/operator/health')).status).toBe(403);
  expect((await promote(service, '74a402b1-c88d-4fe5-9c02-fa8c54a206b5')).status).toBe(404);
});

describe('nobody becomes an operator by email address', () => {
  test('a call with an email address is refused and says what to do', async () => {
    const answer = await service.api('POST', '/operator/people', { email, operator: true });
    expect([answer.status, answer.json.code]).toEqual([422, 'invalid_input']);
    expect(answer.json.errors).toEqual([
      { field: 'person_id', message: 'is required' },
      { field: 'email', message: expect.stringContaining('GET /api/v1/operator/people?q=') },
    ]);
    const both = await service.api('POST', '/operator/people', {
      person_id: await idOf(operator),
      email,
      operator: true,
    });
    expect(both.status).toBe(422);
    expect((await operator.api('GET', '/me')).json.user.operator).toBe(false);
  });

  test('someone who registers another person’s address through their own invitation is visible', async () => {
    const eve = await newPerson('owner', "Eve's corner");
    const made = await eve.browser.api('POST', `/workspaces/${eve.workspaceId}/invitations`, {
      email: 'chief@example.com',
      role: 'member',
    });
    await new Browser(service.url).api('POST', '/invitations/accept', {
      token: made.json.link.split('#token=')[1],
      name: 'The Chief',
      password: goodPassword,
    });
    const { json } = await service.api('GET', '/operator/people?q=chief@');
    expect(json.items).toEqual([
      {
        id: expect.any(String),
        name: 'The Chief',
        email: 'chief@example.com',
        operator: false,
        created_at: expect.any(String),
        invited_by: {
          kind: 'person',
          id: eve.id,
          name: expect.stringMatching(/^person\d+$/),
          email: expect.stringMatching(/^person\d+@/),
        },
        workspaces: [{ id: eve.workspaceId, name: "Eve's corner", role: 'member' }],
        workspace_count: 1,
      },
    ]);
  });

  test('the inviter stays known after they and the workspace are gone', async () => {
    const eve = await newPerson('owner');
    const path = `/workspaces/${eve.workspaceId}`;
    const made = await eve.browser.api('POST', `${path}/invitations`, {
      email: 'kept@example.com',
      role: 'owner',
    });
    const guest = new Browser(service.url);
    await guest.api('POST', '/invitations/accept', {
      token: made.json.link.split('#token=')[1],
      name: 'Kept',
      password: goodPassword,
    });
    await guest.api('DELETE', `${path}/members/${eve.id}`);
    await seed.query('delete from people where id = $1', [eve.id]);
    const { json } = await service.api('GET', `/operator/people/${await idOf(guest)}`);
    expect(json.invited_by).toMatchObject({ kind: 'person', id: eve.id });
  });

  test('people invited with the operator key are shown as such', async () => {
    const { id } = await newPerson();
    const { json } = await service.api('GET', `/operator/people/${id}`);
    expect(json.invited_by).toEqual({ kind: 'operator_key', id: null, name: null, email: null });
  });
});

describe('people who are operators', () => {
  beforeAll(() => makeOperator(service, operator));

  test('can make others operators, and the operator log says who did', async () => {
    const { id, browser } = await newPerson();
    clock.advance(1000);
    expect((await promote(operator, id)).json).toMatchObject({ id, operator: true });
    expect((await browser.api('GET', '/operator/health')).status).toBe(200);
    const { json } = await operator.api('GET', '/operator/audit?limit=1');
    expect(json.items).toMatchObject([
      { actor: { name: email }, changes: { person_id: id, operator: true } },
    ]);
  });

  test('can revoke their own rights, but nobody else’s', async () => {
    const { id, browser } = await newPerson();
    await promote(service, id);
    const refused = await promote(browser, await idOf(operator), false);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    expect((await operator.api('GET', '/operator/health')).status).toBe(200);
    expect((await promote(browser, id, false)).status).toBe(200);
    expect((await browser.api('GET', '/operator/health')).status).toBe(403);
  });

  test('find people by part of a name or address, or by id, page by page', async () => {
    const some = await Promise.all([newPerson(), newPerson(), newPerson()]);
    const first = await operator.api('GET', '/operator/people?q=PERSON&limit=2');
    expect(first.json.items).toHaveLength(2);
    const next = await operator.api(
      'GET',
      `/operator/people?q=PERSON&limit=2&cursor=${first.json.next_cursor}`,
    );
    const found = [...first.json.items, ...next.json.items].map(({ id }: { id: string }) => id);
    expect(new Set(found).size).toBe(4);
    expect(found).toEqual(expect.arrayContaining(some.map(({ id }) => id)));
    const byId = await operator.api('GET', `/operator/people?q=${some[0]?.id}`);
    expect(byId.json.items).toMatchObject([{ id: some[0]?.id }]);
    // Characters that are special to LIKE are literal here.
    expect((await operator.api('GET', '/operator/people?q=%25')).json.items).toEqual([]);
    const operators = await operator.api('GET', '/operator/people?operator=true&limit=200');
    expect(operators.json.items.every(({ operator: isOne }: { operator: boolean }) => isOne)).toBe(true);
    expect((await operator.api('GET', '/operator/people?operator=maybe')).status).toBe(422);
  });

  test('see at most 20 workspaces of a person, and how many there are', async () => {
    const { id, browser } = await newPerson();
    for (let i = 0; i < 21; i++)
      await seed.query(
        `with w as (insert into workspaces (id, name, created_at, revision) values (gen_random_uuid(), 'Many', now(), 1) returning id)
         insert into memberships (workspace_id, person_id, role, created_at) select id, $1, 'member', now() from w`,
        [id],
      );
    expect((await browser.api('GET', '/me')).json.workspaces).toHaveLength(22);
    const { json } = await operator.api('GET', `/operator/people/${id}`);
    expect([json.workspaces.length, json.workspace_count]).toEqual([20, 22]);
  });
});

test('members and owners can neither search people nor promote anyone, including themselves', async () => {
  for (const role of ['owner', 'member']) {
    const { browser, id } = await newPerson(role);
    expect((await browser.api('GET', '/operator/people')).status).toBe(403);
    expect((await browser.api('GET', `/operator/people/${id}`)).status).toBe(403);
    expect((await promote(browser, id)).status).toBe(403);
  }
  expect((await new Browser(service.url).api('GET', '/operator/people')).status).toBe(401);
});

test('a suspension keeps who suspended the workspace and when, whoever gives another reason', async () => {
  await makeOperator(service, operator);
  const path = `/workspaces/${await createWorkspace(service, 'Twice')}`;
  const { json } = await operator.api('PATCH', path, { status: 'suspended' });
  expect(json.suspension).toEqual({ since: new Date(clock.now()).toISOString(), by: email, reason: null });
  clock.advance(1000);
  const again = await service.api('PATCH', path, { status: 'suspended', reason: 'Abuse' });
  expect(again.json.suspension).toEqual({ ...json.suspension, reason: 'Abuse' });
  await operator.api('PATCH', path, { status: 'active' });
  const later = await service.api('PATCH', path, { status: 'suspended' });
  expect(later.json.suspension).toMatchObject({ by: 'operator', reason: null });
});

test('an operator can list, suspend and resume all workspaces, but not rename them', async () => {
  await makeOperator(service, operator);
  const listed = await operator.api('GET', '/workspaces?limit=200');
  const names = listed.json.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['Foreign', 'Own']));
  const path = `/workspaces/${foreignWorkspace}`;
  const suspended = await operator.api('PATCH', path, { status: 'suspended', reason: 'Abuse' });
  const suspension = { since: new Date(clock.now()).toISOString(), by: email, reason: 'Abuse' };
  expect(suspended.json).toMatchObject({ status: 'suspended', suspension });
  expect((await operator.api('GET', path)).json).toMatchObject({ suspension });
  clock.advance(1000);
  const resumed = await operator.api('PATCH', path, { status: 'active' });
  expect(resumed.json).toMatchObject({ status: 'active', suspension: null });
  const { json } = await service.api('GET', `${path}/audit`);
  expect(json.items[1]).toMatchObject({ actor: { name: email }, changes: { reason: 'Abuse' } });
  expect((await operator.api('PATCH', path, { name: 'Mine' })).status).toBe(403);
});

test('an owner who is not an operator can neither suspend nor resume', async () => {
  const owner = await join(service, foreignWorkspace, 'owner@example.com', 'owner');
  const path = `/workspaces/${foreignWorkspace}`;
  for (const status of ['suspended', 'active']) {
    expect((await owner.api('PATCH', path, { status })).status).toBe(403);
  }
});

test('the health of the service names spool, queue, directory and backlogs', async () => {
  const { status, json } = await service.api('GET', '/operator/health');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    database: { available: true },
    commit_queue: { leads: 0 },
    spool: { leads: 0, bytes: 0, bytes_max: 1024 ** 3, usable: true, quarantined: 0, refused: 0 },
    directory: { age_seconds: expect.any(Number) },
    enrichment: { noted: 0, waiting: 0, failed: 0, oldest_seconds: null },
    disks: [{ folder: 'data', bytes_total: expect.any(Number), bytes_available: expect.any(Number) }],
  });
});

test('owners see both addresses when a forwarded invitation is used', async () => {
  const workspaceId = await createWorkspace(service, 'Forwarded');
  const token = await invite(service, workspaceId, 'meant@example.com', 'member');
  const { browser } = await newPerson();
  expect((await browser.api('POST', '/invitations/accept', { token })).status).toBe(200);
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/audit?limit=1`);
  expect(json.items).toMatchObject([
    {
      action: 'acceptAnInvitation',
      actor: { name: expect.stringMatching(/^person/) },
      changes: { role: 'member', invited_email: 'meant@example.com', invited_by: 'operator' },
    },
  ]);
});
