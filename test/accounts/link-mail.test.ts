import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/time/clock.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join, makeOperator } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { readEmail, startSmtp, tokenIn } from '../support/smtp.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
/** Without a mail server, to let people in by. */
let plain: TestService;
/** Two instances of one service that sends emails. */
let service: TestService;
let second: TestService;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let people = 0;

beforeAll(async () => {
  smtp = await startSmtp();
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'Leadgate <leads@example.com>' };
  plain = await startTestService({ clock });
  service = await startTestService({ clock, databaseUrl: plain.databaseUrl, env });
  second = await startTestService({ clock, databaseUrl: plain.databaseUrl, env });
});
beforeEach(() => {
  smtp.emails.length = 0;
  smtp.behaviour.refuses = false;
});
afterAll(async () => {
  for (const one of [second, service, plain]) await one.stop();
  await smtp.stop();
});

const newEmail = () => `person${people++}@example.com`;
const invitations = (workspaceId: string) => `/workspaces/${workspaceId}/invitations`;
const lastEmail = () => readEmail(smtp.emails.at(-1) ?? '');
const accept = (token: string) =>
  new Browser(service.url).api('POST', '/invitations/accept', {
    token,
    name: 'Guest',
    password: goodPassword,
  });

/** A person with this role in a workspace, signed in at the service that sends emails. */
async function newPerson(workspaceId: string, role: string) {
  const email = newEmail();
  const { id } = (await (await join(plain, workspaceId, email, role)).api('GET', '/me')).json.user;
  const browser = new Browser(service.url);
  await browser.signIn(email);
  return { email, id: id as string, browser };
}

async function newOwner(name = 'Engines') {
  const workspaceId = await createWorkspace(service, name);
  return { workspaceId, ...(await newPerson(workspaceId, 'owner')) };
}

describe('with a mail server, a link is in the email and in no response', () => {
  test('of an invitation', async () => {
    const { workspaceId, browser } = await newOwner();
    for (const by of [browser, service]) {
      const made = await by.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
      expect(made.status).toBe(201);
      expect(made.json).toMatchObject({ link: null, mail: 'sent', mailed_at: '2026-11-15T08:00:00.000Z' });
      const token = tokenIn(smtp.emails.at(-1));
      expect(made.text).not.toContain(token);
      const listed = await by.api('GET', invitations(workspaceId));
      expect(listed.text).not.toContain(token);
      expect(lastEmail().head).toContain(`To: ${made.json.email}`);
      expect((await accept(token)).status).toBe(200);
    }
  });

  test('of an invitation that is sent again, which ends the previous link', async () => {
    const { workspaceId, browser } = await newOwner();
    const made = await browser.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    const again = await browser.api('POST', `${invitations(workspaceId)}/${made.json.id}/send`);
    expect([again.status, again.json.link, again.json.mail]).toEqual([200, null, 'sent']);
    const [first, fresh] = smtp.emails.map(tokenIn) as [string, string];
    expect(again.text).not.toContain(fresh);
    expect([(await accept(first)).status, (await accept(fresh)).status]).toEqual([404, 200]);
  });

  test('to a new password, by an owner and by an operator', async () => {
    const { workspaceId, browser } = await newOwner();
    const operator = (await newOwner()).browser;
    await makeOperator(service, operator);
    const person = await newPerson(workspaceId, 'member');
    const answers = [
      await browser.api('POST', `/workspaces/${workspaceId}/members/${person.id}/password-link`),
      await operator.api('POST', '/operator/password-links', { email: person.email }),
    ];
    for (const [i, answer] of answers.entries()) {
      expect([answer.status, answer.json.link, answer.json.mail]).toEqual([201, null, 'sent']);
      expect(answer.text).not.toContain(tokenIn(smtp.emails[i]));
      expect(readEmail(smtp.emails[i] ?? '').head).toContain(`To: ${person.email}`);
    }
    const completed = await new Browser(service.url).api('POST', '/password-resets/complete', {
      token: tokenIn(smtp.emails[0]),
      password: 'eight dry umbrellas',
    });
    expect(completed.status).toBe(204);
  });
});

describe('an email that cannot be sent', () => {
  test('leaves the invitation, says so without the link, and can be sent again', async () => {
    smtp.behaviour.refuses = true;
    const { workspaceId, browser } = await newOwner();
    const made = await browser.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      link: null,
      mail: 'failed',
      mailed_at: null,
      notice: expect.stringContaining('The invitation is kept: send it again'),
    });
    expect((await browser.api('GET', invitations(workspaceId))).json.items).toMatchObject([
      { id: made.json.id, mailed_at: null },
    ]);
    smtp.behaviour.refuses = false;
    const again = await browser.api('POST', `${invitations(workspaceId)}/${made.json.id}/send`);
    expect(again.json).toMatchObject({ mail: 'sent', mailed_at: expect.any(String) });
    expect(again.json.notice).toBeUndefined();
    expect((await accept(tokenIn(smtp.emails[0]))).status).toBe(200);
  });

  test('with a link to a new password says so, and the next try makes another', async () => {
    smtp.behaviour.refuses = true;
    const { workspaceId, browser } = await newOwner();
    const person = await newPerson(workspaceId, 'member');
    const path = `/workspaces/${workspaceId}/members/${person.id}/password-link`;
    const failed = await browser.api('POST', path);
    expect(failed.json).toMatchObject({
      link: null,
      mail: 'failed',
      notice: expect.stringContaining('Create'),
    });
    smtp.behaviour.refuses = false;
    expect((await browser.api('POST', path)).json.mail).toBe('sent');
  });

  test('does not count against the address, however often it is tried', async () => {
    const { workspaceId, browser } = await newOwner();
    smtp.behaviour.refuses = true;
    const made = await browser.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    const send = () => browser.api('POST', `${invitations(workspaceId)}/${made.json.id}/send`);
    for (let i = 0; i < 6; i++) expect((await send()).json.mail).toBe('failed');
    smtp.behaviour.refuses = false;
    expect((await send()).json.mail).toBe('sent');
  });
});

describe('an invitation by email', () => {
  test('names no workspace in its subject, and is plain text', async () => {
    const { workspaceId, browser } = await newOwner('Unmistakable Engines');
    await browser.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    const { head, text } = lastEmail();
    expect(head).toMatch(/^Subject: Your invitation to Leadgate$/m);
    expect(head).not.toContain('Unmistakable');
    expect(head).toMatch(/^Content-Type: text\/plain/m);
    expect(text).toMatch(/^“person\d+” invited you to the workspace “Unmistakable Engines” in Leadgate\./);
  });

  test('has one link, whatever the workspace and the sender are called', async () => {
    const workspaceId = await createWorkspace(service);
    const email = newEmail();
    const invited = await plain.api('POST', invitations(workspaceId), { email, role: 'owner' });
    const browser = new Browser(service.url);
    await browser.api('POST', '/invitations/accept', {
      token: invited.json.link.split('#token=')[1],
      name: 'Eve',
      password: goodPassword,
    });
    // As before such names were refused.
    const pool = openTestPool(service.databaseUrl);
    await pool.query('update workspaces set name = $2 where id = $1', [
      workspaceId,
      'Pay at https://evil.example or evil.example, mail eve@evil.example, call +1 800 555 1234\u202e\u2028Bcc',
    ]);
    await pool.query('update people set name = $2 where email = $1', [email, 'www.evil.example/\u2066login']);
    await pool.end();
    await browser.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    const { text } = lastEmail();
    const link = `${service.url}/join#token=${tokenIn(smtp.emails[0])}`;
    const [before = '', after = ''] = text.split(link);
    expect(before).toContain(
      '“www. evil. example login” invited you to the workspace “Pay at https evil. example',
    );
    expect(before + after).not.toMatch(/:\/\/|@|www\.\w|\w\.\w|\d{3}|[\p{Cf}\p{Zl}]/u);
    expect(before.trimEnd().split(/\r?\n/)).toHaveLength(1);
  });
});

describe('nobody can flood others', () => {
  const statuses = async (times: number, call: (i: number) => Promise<{ status: number }>) => {
    const seen: number[] = [];
    for (let i = 0; i < times; i++) seen.push((await call(i)).status);
    return seen;
  };
  const created = (times: number) => Array<number>(times).fill(201);

  test('one address gets 5 emails a day from all workspaces and instances together', async () => {
    const [one, other] = [await newOwner(), await newOwner()];
    const email = newEmail();
    const [name, domain] = email.split('@');
    const sent = await statuses(6, (i) => {
      const { workspaceId } = i % 2 === 0 ? one : other;
      const address = i === 3 ? `${name}+tag@${domain}` : email;
      const body = { email: address, role: 'member' };
      return (i % 2 === 0 ? service : second).api('POST', invitations(workspaceId), body);
    });
    expect(sent).toEqual([...created(5), 429]);
    const refused = await one.browser.api('POST', invitations(one.workspaceId), { email, role: 'member' });
    expect([refused.json.code, refused.json.detail]).toEqual([
      'too_many_requests',
      'This address cannot receive more emails for now. Try again in 24 hours.',
    ]);
    expect(refused.headers.get('retry-after')).toBe('86400');
    expect(smtp.emails).toHaveLength(5);
    // The last emailed link still works.
    expect((await accept(tokenIn(smtp.emails[4]))).status).toBe(200);
    clock.advance(dayMs);
    const { workspaceId } = await newOwner();
    expect((await service.api('POST', invitations(workspaceId), { email, role: 'member' })).status).toBe(201);
  });

  test('invitations to an address do not block a password reset link to it', async () => {
    const { workspaceId, browser } = await newOwner();
    const person = await newPerson(workspaceId, 'member');
    const elsewhere = await createWorkspace(service);
    const body = { email: person.email, role: 'member' };
    expect(await statuses(6, () => service.api('POST', invitations(elsewhere), body))).toEqual([
      ...created(5),
      429,
    ]);
    const path = `/workspaces/${workspaceId}/members/${person.id}/password-link`;
    const sent = await statuses(6, () => browser.api('POST', path));
    expect(sent).toEqual([...created(5), 429]);
  });

  test('parallel emails are all counted', async () => {
    const email = newEmail();
    const owners = await Promise.all(Array.from({ length: 8 }, () => newOwner()));
    const answers = await Promise.all(
      owners.map(({ workspaceId }, i) =>
        (i % 2 === 0 ? service : second).api('POST', invitations(workspaceId), { email, role: 'member' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(5);
    expect(smtp.emails.length).toBeLessThanOrEqual(5);
  });

  test('one person can send 50 a day across all workspaces, and a refused one changes nothing', async () => {
    const { workspaceId, browser } = await newOwner();
    const made = await browser.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    await service.api('PUT', '/operator/settings', { workspace_creation: 'everyone' });
    const elsewhere = (await browser.api('POST', '/workspaces', { name: 'Other' })).json.id;
    const sent = await statuses(50, (i) =>
      browser.api('POST', invitations(i % 2 === 0 ? elsewhere : workspaceId), {
        email: newEmail(),
        role: 'member',
      }),
    );
    expect(sent).toEqual([...created(49), 429]);
    const again = await browser.api('POST', `${invitations(workspaceId)}/${made.json.id}/send`);
    expect([again.status, again.json.detail]).toEqual([
      429,
      'You have sent 50 emails in 24 hours. Try again in 24 hours.',
    ]);
    expect((await accept(tokenIn(smtp.emails[0]))).status).toBe(200);
    // It blocks nobody else.
    const colleague = await newPerson(workspaceId, 'owner');
    const body = { email: newEmail(), role: 'member' };
    expect((await colleague.browser.api('POST', invitations(workspaceId), body)).status).toBe(201);
  });

  test('one workspace can send 100 a day, even with the operator key', async () => {
    const workspaceId = await createWorkspace(service);
    const invite = () => service.api('POST', invitations(workspaceId), { email: newEmail(), role: 'member' });
    expect(await statuses(101, invite)).toEqual([...created(100), 429]);
    expect((await invite()).json.detail).toContain('This workspace has sent 100 emails in 24 hours.');
  });

  test('without a mail server nothing is sent, and nothing is limited', async () => {
    const workspaceId = await createWorkspace(plain);
    const email = newEmail();
    const body = { email, role: 'member' };
    expect(await statuses(7, () => plain.api('POST', invitations(workspaceId), body))).toEqual(created(7));
  });
});
