import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join, makeOperator } from '../support/browser/browser.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** A link is worth as much as the rights of its creator when it is used. */
let service: TestService;
let pool: pg.Pool;
let workspaceId: string;
let people = 0;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
  workspaceId = await createWorkspace(service, 'Engines');
  await join(service, workspaceId, 'stays@example.com', 'owner');
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const newEmail = () => `person${people++}@example.com`;
const tokenOf = (link: string) => link.split('#token=')[1] as string;
const stranger = () => new Browser(service.url);
const invitations = () => `/workspaces/${workspaceId}/invitations`;

async function newMember(role: string) {
  const email = newEmail();
  const browser = await join(service, workspaceId, email, role);
  const { id } = (await browser.api('GET', '/me')).json.user;
  return { email, browser, id: id as string, path: `/workspaces/${workspaceId}/members/${id}` };
}

async function newOperator() {
  const browser = await join(service, await createWorkspace(service), newEmail(), 'member');
  await makeOperator(service, browser);
  return browser;
}

async function inviteBy(by: Pick<Browser, 'api'>, role = 'member'): Promise<string> {
  const { json } = await by.api('POST', invitations(), { email: newEmail(), role });
  return tokenOf(json.link);
}

const preview = (token: string) => stranger().api('POST', '/invitations/preview', { token });
const accept = (token: string) =>
  stranger().api('POST', '/invitations/accept', { token, name: 'Guest', password: goodPassword });
const complete = (token: string) =>
  stranger().api('POST', '/password-resets/complete', { token, password: 'eight dry umbrellas' });

async function openInvitations(): Promise<string[]> {
  const { json } = await service.api('GET', `${invitations()}?limit=200`);
  return json.items.map(({ invited_by }: { invited_by: { id: string } | null }) => invited_by?.id ?? 'key');
}

/** What ends the rights of an owner. */
const ends = {
  'is removed': ({ path }: { path: string }) => service.api('DELETE', path),
  'becomes a member': ({ path }: { path: string }) => service.api('PATCH', path, { role: 'member' }),
  'loses the account': ({ id }: { id: string }) => pool.query('delete from people where id = $1', [id]),
};

describe.each(Object.entries(ends))('when the owner who made it %s', (_, end) => {
  test('an invitation cannot be opened or accepted, and is not listed', async () => {
    const owner = await newMember('owner');
    const token = await inviteBy(owner.browser, 'owner');
    expect(await openInvitations()).toContain(owner.id);
    expect((await preview(token)).status).toBe(200);
    await end(owner);
    expect([(await preview(token)).status, (await accept(token)).status]).toEqual([404, 404]);
    expect(await openInvitations()).not.toContain(owner.id);
  });

  test('a link to a new password neither opens nor works', async () => {
    const [owner, person] = [await newMember('owner'), await newMember('member')];
    const made = await owner.browser.api('POST', `${person.path}/password-link`);
    await end(owner);
    const token = tokenOf(made.json.link);
    expect((await stranger().api('POST', '/password-resets/preview', { token })).status).toBe(404);
    expect((await complete(token)).status).toBe(404);
    expect((await stranger().signIn(person.email)).status).toBe(200);
  });
});

test('links that ended do not come back when their maker becomes an owner again', async () => {
  const [owner, person] = [await newMember('owner'), await newMember('member')];
  const invited = await inviteBy(owner.browser);
  const made = await owner.browser.api('POST', `${person.path}/password-link`);
  await service.api('PATCH', owner.path, { role: 'member' });
  await service.api('PATCH', owner.path, { role: 'owner' });
  expect((await accept(invited)).status).toBe(404);
  expect((await complete(tokenOf(made.json.link))).status).toBe(404);
});

test('invitations of other owners and of the operator key stay valid', async () => {
  const [leaving, staying] = [await newMember('owner'), await newMember('owner')];
  const [ofStaying, ofKey] = [await inviteBy(staying.browser), await inviteBy(service)];
  await service.api('DELETE', leaving.path);
  expect([(await accept(ofStaying)).status, (await accept(ofKey)).status]).toEqual([200, 200]);
});

test('an invitation that another owner sends again is theirs, and outlives its first creator', async () => {
  const [first, second] = [await newMember('owner'), await newMember('owner')];
  const made = await first.browser.api('POST', invitations(), { email: newEmail(), role: 'member' });
  const again = await second.browser.api('POST', `${invitations()}/${made.json.id}/send`);
  expect(again.status).toBe(200);
  expect(again.json).toMatchObject({ id: made.json.id, mail: 'off', invited_by: { id: second.id } });
  expect((await accept(tokenOf(made.json.link))).status).toBe(404);
  await service.api('DELETE', first.path);
  expect((await accept(tokenOf(again.json.link))).status).toBe(200);
});

describe('a link to a new password that an operator made', () => {
  const makeLink = (by: Browser, email: string) => by.api('POST', '/operator/password-links', { email });

  test('ends with the rights of the operator, even if they are granted again', async () => {
    const [operator, person] = [await newOperator(), await newMember('member')];
    const token = tokenOf((await makeLink(operator, person.email)).json.link);
    await makeOperator(service, operator, false);
    expect((await stranger().api('POST', '/password-resets/preview', { token })).status).toBe(404);
    await makeOperator(service, operator);
    expect((await complete(token)).status).toBe(404);
  });

  test('ends when the person becomes an operator', async () => {
    const [operator, person] = [await newOperator(), await newMember('member')];
    const token = tokenOf((await makeLink(operator, person.email)).json.link);
    await makeOperator(service, person.browser);
    expect((await complete(token)).status).toBe(404);
  });

  test('ends when the operator makes another for the same person', async () => {
    const [operator, person] = [await newOperator(), await newMember('member')];
    const first = tokenOf((await makeLink(operator, person.email)).json.link);
    const second = tokenOf((await makeLink(operator, person.email)).json.link);
    expect([(await complete(first)).status, (await complete(second)).status]).toEqual([404, 204]);
  });
});

describe('a link that is used while its creator loses their permissions does not work', () => {
  /** Starts to revoke a right, lets someone use the link, and finishes revoking once that call waits. */
  async function race(sql: string, values: unknown[], use: () => Promise<{ status: number }>) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(sql, values);
      const used = use();
      const waiting = async () => {
        const { rows } = await pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      };
      expect(await eventually(waiting, (count) => count > 0)).toBeGreaterThan(0);
      await client.query('commit');
      return (await used).status;
    } finally {
      // Closed, so that a failing test leaves nothing locked.
      client.release(true);
    }
  }

  const demotion = `update memberships set role = 'member' where workspace_id = $1 and person_id = $2`;

  test.each([
    ['demotion', demotion],
    ['removal', 'delete from memberships where workspace_id = $1 and person_id = $2'],
  ])('for an invitation and a %s', async (_, sql) => {
    const owner = await newMember('owner');
    const token = await inviteBy(owner.browser);
    expect(await race(sql, [workspaceId, owner.id], () => accept(token))).toBe(404);
  });

  test('for a link to a new password and a demotion of its owner', async () => {
    const [owner, person] = [await newMember('owner'), await newMember('member')];
    const made = await owner.browser.api('POST', `${person.path}/password-link`);
    const use = () => complete(tokenOf(made.json.link));
    expect(await race(demotion, [workspaceId, owner.id], use)).toBe(404);
  });

  test('for a link to a new password and the rights of an operator', async () => {
    const [operator, person] = [await newOperator(), await newMember('member')];
    const made = await operator.api('POST', '/operator/password-links', { email: person.email });
    const { id } = (await operator.api('GET', '/me')).json.user;
    const sql = 'update people set operator = false where id = $1';
    expect(await race(sql, [id], () => complete(tokenOf(made.json.link)))).toBe(404);
  });

  test('nobody joins with a link of a person who was already removed', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await newMember('owner');
      const token = await inviteBy(owner.browser);
      const [joined, removed] = await Promise.all([accept(token), service.api('DELETE', owner.path)]);
      expect(removed.status).toBe(204);
      expect([200, 404]).toContain(joined.status);
      expect((await accept(token)).status).toBe(404);
    }
  });
});

test('a person who is no longer an owner cannot resend an invitation', async () => {
  const owner = await newMember('owner');
  const made = await owner.browser.api('POST', invitations(), { email: newEmail(), role: 'owner' });
  await service.api('PATCH', owner.path, { role: 'member' });
  expect((await owner.browser.api('POST', `${invitations()}/${made.json.id}/send`)).status).toBe(403);
});
