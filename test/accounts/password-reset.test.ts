import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/time/clock.ts';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, goodPassword, invite, join, makeOperator } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSmtp } from '../support/smtp.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const newPassword = 'eight dry umbrellas';
let service: TestService;
let seed: Seed;
let workspaceId: string;
let owner: Browser;
let people = 0;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service, 'Engines');
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
});
beforeEach(() => owner.signIn('owner@example.com'));
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const newEmail = () => `person${people++}@example.com`;
const tokenOf = (link: string) => link.split('#token=')[1] as string;
const stranger = () => new Browser(service.url);

/** A member of the workspace, signed in. */
async function newMember(role = 'member') {
  const email = newEmail();
  const browser = await join(service, workspaceId, email, role);
  return { email, browser, id: (await browser.api('GET', '/me')).json.user.id as string };
}

function makeLink(by: Browser, personId: string, workspace = workspaceId) {
  return by.api('POST', `/workspaces/${workspace}/members/${personId}/password-link`);
}

async function madeToken(personId: string): Promise<string> {
  return tokenOf((await makeLink(owner, personId)).json.link);
}

function complete(token: string, password = newPassword) {
  return stranger().api('POST', '/password-resets/complete', { token, password });
}

async function newOperator(): Promise<Browser> {
  const browser = await join(service, await createWorkspace(service), newEmail(), 'member');
  await makeOperator(service, browser);
  return browser;
}

test('an owner creates a link that sets a new password once and ends all sessions', async () => {
  const { email, browser, id } = await newMember();
  const made = await makeLink(owner, id);
  expect(made.json).toEqual({
    link: expect.stringMatching(new RegExp(`^${service.url}/reset#token=[\\w-]{43}$`)),
    mail: 'off',
    expires_at: new Date(clock.now() + dayMs).toISOString(),
  });
  const token = tokenOf(made.json.link);
  const preview = await stranger().api('POST', '/password-resets/preview', { token });
  expect(preview.json).toEqual({ email });
  expect((await complete(token)).status).toBe(204);
  expect((await browser.api('GET', '/me')).status).toBe(401);
  expect((await stranger().signIn(email)).status).toBe(401);
  expect((await stranger().signIn(email, newPassword)).status).toBe(200);
  expect((await complete(token, 'nine old umbrellas')).status).toBe(404);
});

test('when many use a link at the same time, one sets the password, and all other links of the person end', async () => {
  const { email, id } = await newMember();
  const [first, second] = [await madeToken(id), await madeToken(id)];
  const tokens = [first, second, first, second];
  const answers = await Promise.all(tokens.map((token, i) => complete(token, `umbrella number ${i}x`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  const winner = answers.findIndex(({ status }) => status === 204);
  expect((await stranger().signIn(email, `umbrella number ${winner}x`)).status).toBe(200);
});

test('a link ends after 24 hours', async () => {
  const { id } = await newMember();
  const token = await madeToken(id);
  clock.advance(dayMs);
  expect((await complete(token)).status).toBe(404);
});

test('a password that is too weak leaves the link and the sessions unchanged', async () => {
  const { browser, id } = await newMember();
  const token = await madeToken(id);
  const refused = await complete(token, 'password123');
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'password']);
  expect((await browser.api('GET', '/me')).status).toBe(200);
  expect((await complete(token)).status).toBe(204);
});

test('a link is stored only as a hash', async () => {
  const { id } = await newMember();
  const token = await madeToken(id);
  const [row] = await seed.query('select r::text as text from password_resets r where person_id = $1', [id]);
  expect(row.text).not.toContain(token);
});

describe('an owner cannot take over an account that opens more than their workspace', () => {
  test('of a person who is also in another workspace', async () => {
    const { id, browser, email } = await newMember();
    const other = await invite(service, await createWorkspace(service), email, 'member');
    await browser.api('POST', '/invitations/accept', { token: other });
    const { status, json } = await makeLink(owner, id);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  });

  test('of an operator', async () => {
    const { id, browser } = await newMember();
    await makeOperator(service, browser);
    expect((await makeLink(owner, id)).status).toBe(403);
  });

  test('of a person who joined another workspace after the link was made', async () => {
    const { id, browser, email } = await newMember();
    const token = await madeToken(id);
    const other = await invite(service, await createWorkspace(service), email, 'member');
    await browser.api('POST', '/invitations/accept', { token: other });
    expect((await stranger().api('POST', '/password-resets/preview', { token })).status).toBe(404);
    expect((await complete(token)).status).toBe(404);
    expect((await browser.api('GET', '/me')).status).toBe(200);
  });

  test('of a person who became an operator, or left the workspace, after the link was made', async () => {
    const [risen, gone] = [await newMember(), await newMember()];
    const [first, second] = [await madeToken(risen.id), await madeToken(gone.id)];
    await makeOperator(service, risen.browser);
    await service.api('DELETE', `/workspaces/${workspaceId}/members/${gone.id}`);
    expect([(await complete(first)).status, (await complete(second)).status]).toEqual([404, 404]);
  });

  test('by a link from the time when they were an owner', async () => {
    const [former, victim] = [await newMember('owner'), await newMember()];
    const token = tokenOf((await makeLink(former.browser, victim.id)).json.link);
    const path = `/workspaces/${workspaceId}/members/${former.id}`;
    await service.api('PATCH', path, { role: 'member' });
    expect((await complete(token)).status).toBe(404);
  });

  test('of a person in another workspace, whose existence stays hidden', async () => {
    const elsewhere = await createWorkspace(service);
    const other = await join(service, elsewhere, newEmail(), 'member');
    const { id } = (await other.api('GET', '/me')).json.user;
    expect((await makeLink(owner, id)).status).toBe(404);
    expect((await makeLink(owner, id, elsewhere)).status).toBe(404);
  });
});

test('when an owner sets a new password while the person joins another workspace, one of the two fails', async () => {
  const { id, browser, email } = await newMember();
  const token = await madeToken(id);
  const other = await invite(service, await createWorkspace(service), email, 'member');
  const [reset, joined] = await Promise.all([
    complete(token),
    browser.api('POST', '/invitations/accept', { token: other }),
  ]);
  const isReset = reset.status === 204;
  expect(reset.status).toBe(isReset ? 204 : 404);
  // 422 if the session had ended before it was looked up: the request then lacks a name and a password.
  expect(isReset ? [401, 422] : [200]).toContain(joined.status);
  expect((await stranger().signIn(email, isReset ? newPassword : goodPassword)).status).toBe(200);
});

describe('an operator', () => {
  const ask = (by: { api: Browser['api'] }, email: string) =>
    by.api('POST', '/operator/password-links', { email });

  test('creates a link for anyone who is not an operator', async () => {
    const { email } = await newMember('owner');
    const made = await ask(await newOperator(), email.toUpperCase());
    expect(made.status).toBe(201);
    expect((await complete(tokenOf(made.json.link))).status).toBe(204);
    expect((await stranger().signIn(email, newPassword)).status).toBe(200);
  });

  test('cannot create one for another operator; the operator key can', async () => {
    const { email, browser } = await newMember();
    await makeOperator(service, browser);
    expect((await ask(await newOperator(), email)).status).toBe(403);
    expect((await ask(service, email)).status).toBe(201);
  });

  test('is told that an address has no account', async () => {
    expect((await ask(service, 'nobody@example.com')).status).toBe(404);
  });

  test('sees operator actions in a separate log, with the workspace they concerned', async () => {
    const operator = await newOperator();
    const { email } = await newMember();
    clock.advance(1000);
    await operator.api('PATCH', `/workspaces/${workspaceId}`, { status: 'suspended', reason: 'Unpaid' });
    clock.advance(1000);
    await service.api('PATCH', `/workspaces/${workspaceId}`, { status: 'active' });
    clock.advance(1000);
    await ask(operator, email);
    const { json, text } = await operator.api('GET', '/operator/audit?limit=3');
    expect(json.items).toMatchObject([
      { action: 'makeALinkToANewPasswordForAnybody', workspace_id: null, changes: { email } },
      { workspace_id: workspaceId, actor: { kind: 'operator_key' }, changes: { status: 'active' } },
      { workspace_id: workspaceId, actor: { kind: 'person' }, changes: { reason: 'Unpaid' } },
    ]);
    expect(text).not.toContain('token=');
    expect((await owner.api('GET', '/operator/audit')).status).toBe(403);
  });

  test('does not see there what owners do in their workspaces', async () => {
    await owner.api('POST', `/workspaces/${workspaceId}/forms`, { name: 'Secret plans' });
    const { text } = await service.api('GET', '/operator/audit?limit=200');
    expect(text).not.toContain('Secret plans');
  });
});

test('each workspace of the person sees that the password was set, and who created the link', async () => {
  const { id, browser, email } = await newMember();
  const second = await createWorkspace(service, 'Second');
  await browser.api('POST', '/invitations/accept', { token: await invite(service, second, email, 'member') });
  clock.advance(1000);
  const made = await service.api('POST', '/operator/password-links', { email });
  await complete(tokenOf(made.json.link));
  for (const place of [workspaceId, second]) {
    const { json } = await service.api('GET', `/workspaces/${place}/audit?limit=2`);
    const ofLink = ({ action }: { action: string }) => action === 'setANewPasswordByALink';
    expect(json.items.filter(ofLink)).toMatchObject([
      {
        target: { person_id: id },
        changes: { link_made_by: 'operator' },
        actor: { name: email },
      },
    ]);
  }
});

describe('forgotten passwords', () => {
  test('without a mail server the response says so, and no link is created', async () => {
    const { email, id } = await newMember();
    expect((await stranger().api('GET', '/password-resets')).json).toEqual({ mailed: false });
    const asked = await stranger().api('POST', '/password-resets', { email });
    expect([asked.status, asked.json]).toEqual([200, { mailed: false }]);
    expect(await seed.query('select from password_resets where person_id = $1', [id])).toEqual([]);
  });

  test('with a mail server a link is emailed to the person, and unknown addresses get the same response', async () => {
    const smtp = await startSmtp();
    const env = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
    const mailing = await startTestService({ clock, databaseUrl: service.databaseUrl, env });
    const { email } = await newMember();
    const ask = (to: string) => new Browser(mailing.url).api('POST', '/password-resets', { email: to });
    const [unknown, known] = [await ask('nobody@example.com'), await ask(email)];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(known.json).toEqual({ mailed: true });
    await eventually(
      async () => smtp.emails,
      (emails) => emails.length > 0,
    );
    expect(smtp.emails).toHaveLength(1);
    const received = (smtp.emails[0] as string).replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(received).toContain(`To: ${email}`);
    const token = /#token=([\w-]{43})/.exec(received)?.[1] as string;
    clock.advance(hourMs - 1);
    expect((await complete(token)).status).toBe(204);
    await mailing.stop();
    await smtp.stop();
  });

  test('one address gets at most three emails an hour, whether or not it has an account', async () => {
    const { email } = await newMember();
    clock.advance(2 * hourMs);
    for (const to of [email, 'unknown@example.com']) {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++)
        statuses.push((await stranger().api('POST', '/password-resets', { email: to })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
    clock.advance(hourMs);
    expect((await stranger().api('POST', '/password-resets', { email })).status).toBe(200);
  });

  test('the number of links tried or created is limited', async () => {
    clock.advance(2 * hourMs);
    const statuses = new Set<number>();
    for (let i = 0; i < 31; i++) statuses.add((await complete(`guess ${i}`)).status);
    expect([...statuses]).toEqual([404, 429]);
    const { id, browser } = await newMember('owner');
    const made = new Set<number>();
    for (let i = 0; i < 31; i++) made.add((await makeLink(browser, id)).status);
    expect([...made]).toEqual([201, 429]);
  });
});
