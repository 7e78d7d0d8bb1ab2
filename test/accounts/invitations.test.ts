import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../src/time/clock.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, invite, join } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let workspaceId: string;
let people = 0;

beforeAll(async () => {
  service = await startTestService({ clock });
  workspaceId = await createWorkspace(service, 'Engines');
});
afterAll(() => service.stop());

const newEmail = () => `person${people++}@example.com`;

function accept(browser: Browser, token: string, body: object = { name: 'Ada', password: goodPassword }) {
  return browser.api('POST', '/invitations/accept', { token, ...body });
}

test('an invitation shows its link once, and is listed until it is accepted', async () => {
  const email = newEmail();
  const path = `/workspaces/${workspaceId}/invitations`;
  const { status, json } = await service.api('POST', path, { email: email.toUpperCase(), role: 'member' });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.any(String),
    email,
    role: 'member',
    status: 'open',
    created_at: '2026-11-15T08:00:00.000Z',
    expires_at: '2026-11-22T08:00:00.000Z',
    link: expect.stringMatching(new RegExp(`^${service.url}/join#token=[\\w-]{43}$`)),
    mail: 'off',
    mailed_at: null,
    invited_by: null,
  });
  const listed = await service.api('GET', path);
  expect(listed.json.items).toHaveLength(1);
  const token = json.link.split('#token=')[1];
  expect(listed.text).not.toContain(token);
  const browser = new Browser(service.url);
  const joined = await accept(browser, token);
  expect(joined.json).toEqual({ workspace_id: workspaceId, workspace_name: 'Engines', role: 'member' });
  expect((await browser.api('GET', '/me')).json).toMatchObject({
    user: { name: 'Ada', email },
    workspaces: [{ id: workspaceId, role: 'member' }],
  });
  expect((await service.api('GET', path)).json.items).toEqual([]);
});

test('anyone who has a link can see what it is for', async () => {
  const email = newEmail();
  const token = await invite(service, workspaceId, email, 'owner');
  const browser = new Browser(service.url);
  const preview = { workspace_name: 'Engines', email, role: 'owner' };
  const before = await browser.api('POST', '/invitations/preview', { token });
  expect(before.json).toEqual({ ...preview, needs_account: true });
  await accept(browser, token);
  const again = await invite(service, await createWorkspace(service, 'Other'), email, 'member');
  const after = await browser.api('POST', '/invitations/preview', { token: again });
  expect(after.json.needs_account).toBe(false);
});

test('a link works once, however many use it at the same time', async () => {
  const token = await invite(service, workspaceId, newEmail(), 'member');
  const guests = await Promise.all(
    Array.from({ length: 3 }, async () =>
      join(service, await createWorkspace(service), newEmail(), 'member'),
    ),
  );
  const answers = await Promise.all(guests.map((guest) => accept(guest, token, {})));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
});

test('a link does not open an existing account or change its password', async () => {
  const email = newEmail();
  await join(service, workspaceId, email, 'member');
  const otherWorkspace = await createWorkspace(service, 'Other');
  const token = await invite(service, otherWorkspace, email, 'owner');
  const thief = new Browser(service.url);
  const refused = await accept(thief, token, { name: 'Eve', password: 'another good password' });
  expect([refused.status, refused.json.code]).toEqual([409, 'sign_in_needed']);
  expect(thief.cookies.size).toBe(0);
  const person = new Browser(service.url);
  expect((await person.signIn(email)).status).toBe(200);
  expect((await accept(person, token, {})).json.role).toBe('owner');
});

test('a link that expired, was withdrawn, was replaced or never existed gets 404', async () => {
  const path = `/workspaces/${workspaceId}/invitations`;
  const replacedEmail = newEmail();
  const replaced = await invite(service, workspaceId, replacedEmail, 'member');
  const current = await invite(service, workspaceId, replacedEmail, 'owner');
  const withdrawnEmail = newEmail();
  const withdrawn = await invite(service, workspaceId, withdrawnEmail, 'member');
  const { json } = await service.api('GET', path);
  const open = json.items.find(({ email }: { email: string }) => email === withdrawnEmail);
  expect((await service.api('DELETE', `${path}/${open.id}`)).status).toBe(204);
  const expired = await invite(service, await createWorkspace(service), newEmail(), 'member');
  for (const token of [replaced, withdrawn, 'nonsense']) {
    const answer = await accept(new Browser(service.url), token);
    expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
  }
  expect((await accept(new Browser(service.url), current)).status).toBe(200);
  clock.advance(7 * dayMs);
  expect((await accept(new Browser(service.url), expired)).status).toBe(404);
  expect((await service.api('GET', path)).json.items).toEqual([]);
});

test('an invitation is not sent again to someone who has joined with another link', async () => {
  const [path, email] = [`/workspaces/${workspaceId}/invitations`, newEmail()];
  const guest = await join(service, await createWorkspace(service), email, 'member');
  const forOther = await invite(service, workspaceId, newEmail(), 'member');
  const { json } = await service.api('POST', path, { email, role: 'owner' });
  expect((await accept(guest, forOther, {})).status).toBe(200);
  const again = await service.api('POST', `${path}/${json.id}/send`);
  expect([again.status, again.json.code]).toEqual([409, 'already_member']);
});

test('a new account needs a name and a good password', async () => {
  const token = await invite(service, workspaceId, newEmail(), 'member');
  const browser = new Browser(service.url);
  const missing = await accept(browser, token, {});
  expect(missing.json.errors).toEqual([
    { field: 'name', message: 'is required' },
    { field: 'password', message: 'is required' },
  ]);
  const weak = await accept(browser, token, { name: 'Ada', password: '1234567890' });
  expect(weak.json.errors).toMatchObject([{ field: 'password' }]);
});

test('a member is not invited again, and an invitation never lowers a role', async () => {
  const email = newEmail();
  const owner = await join(service, workspaceId, email, 'owner');
  const body = { email, role: 'member' };
  const again = await service.api('POST', `/workspaces/${workspaceId}/invitations`, body);
  expect([again.status, again.json.code]).toEqual([409, 'already_member']);
  const token = await invite(service, workspaceId, newEmail(), 'member');
  expect((await accept(owner, token, {})).json.role).toBe('owner');
});

// Last, because sessions end while the clock is advanced.
test('an invitation that expired is listed for 30 days, and sending it again gives it a new link for a week', async () => {
  const path = `/workspaces/${await createWorkspace(service)}/invitations`;
  const { json } = await service.api('POST', path, { email: newEmail(), role: 'member' });
  clock.advance(7 * dayMs);
  expect((await service.api('GET', path)).json.items).toMatchObject([{ id: json.id, status: 'expired' }]);
  const again = await service.api('POST', `${path}/${json.id}/send`);
  const expires_at = new Date(clock.now() + 7 * dayMs).toISOString();
  expect(again.json).toMatchObject({ id: json.id, status: 'open', expires_at });
  const [old, fresh] = [json, again.json].map(({ link }) => link.split('#token=')[1]);
  expect((await accept(new Browser(service.url), old)).status).toBe(404);
  expect((await accept(new Browser(service.url), fresh)).status).toBe(200);
  await service.api('POST', path, { email: newEmail(), role: 'member' });
  clock.advance(37 * dayMs);
  expect((await service.api('GET', path)).json.items).toEqual([]);
});
