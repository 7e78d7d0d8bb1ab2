import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSetupLink } from '../../src/manage/people/setup.ts';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join } from '../support/browser/browser.ts';
import { openTestPool } from '../support/database/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSmtp, tokenIn } from '../support/smtp.ts';

/** Two instances: one hands links over, the other emails them. */
let plain: TestService;
let mailing: TestService;
let seed: Seed;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let workspaceId: string;
let people = 0;

beforeAll(async () => {
  smtp = await startSmtp();
  plain = await startTestService();
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
  mailing = await startTestService({ databaseUrl: plain.databaseUrl, env });
  seed = new Seed(plain);
});
beforeEach(async () => {
  smtp.emails.length = 0;
  smtp.behaviour.refuses = false;
  workspaceId = await createWorkspace(plain);
});
afterAll(async () => {
  await seed.stop();
  for (const one of [mailing, plain]) await one.stop();
  await smtp.stop();
});

const newEmail = () => `person${people++}@example.com`;

async function isProven(email: string): Promise<boolean> {
  const [row] = await seed.query('select email_verified from people where email = $1', [email]);
  return (row as { email_verified: boolean }).email_verified;
}

const invite = (by: TestService, email: string, workspace = workspaceId) =>
  by.api('POST', `/workspaces/${workspace}/invitations`, { email, role: 'member' });

const accept = (token: string, by = new Browser(mailing.url)) =>
  by.api('POST', '/invitations/accept', { token, name: 'Guest', password: goodPassword });

async function reset(token: string): Promise<void> {
  const completed = await new Browser(plain.url).api('POST', '/password-resets/complete', {
    token,
    password: 'eight dry umbrellas',
  });
  expect(completed.status).toBe(204);
}

test('an invitation that was emailed proves the address of the account that it creates', async () => {
  const email = newEmail();
  await invite(mailing, email);
  expect((await accept(tokenIn(smtp.emails[0]))).status).toBe(200);
  expect(await isProven(email)).toBe(true);
});

test('an invitation that someone handed over proves nothing, also if others are emailed by now', async () => {
  const email = newEmail();
  await join(plain, workspaceId, email, 'member');
  expect(await isProven(email)).toBe(false);
  const other = newEmail();
  const { link } = (await invite(plain, other)).json;
  await invite(mailing, newEmail());
  expect((await accept(link.split('#token=')[1])).status).toBe(200);
  expect(await isProven(other)).toBe(false);
});

test('an invitation whose email the mail server refused is not proof when it is handed over later', async () => {
  const email = newEmail();
  smtp.behaviour.refuses = true;
  const { id } = (await invite(mailing, email)).json;
  const again = await plain.api('POST', `/workspaces/${workspaceId}/invitations/${id}/send`);
  expect((await accept(again.json.link.split('#token=')[1])).status).toBe(200);
  expect(await isProven(email)).toBe(false);
});

test('an emailed invitation proves the address of someone who has an account, if it is theirs', async () => {
  const email = newEmail();
  const browser = await join(plain, await createWorkspace(plain), email, 'member');
  await invite(mailing, email);
  expect((await accept(tokenIn(smtp.emails[0]), browser)).status).toBe(200);
  expect(await isProven(email)).toBe(true);
});

test('an invitation that was emailed to another address proves neither', async () => {
  const [email, invited] = [newEmail(), newEmail()];
  const browser = await join(plain, await createWorkspace(plain), email, 'member');
  await join(plain, await createWorkspace(plain), invited, 'member');
  await invite(mailing, invited);
  expect((await accept(tokenIn(smtp.emails[0]), browser)).status).toBe(200);
  expect([await isProven(email), await isProven(invited)]).toEqual([false, false]);
});

test('a password reset link that was emailed proves the address, whoever asked for it', async () => {
  const [asked, handed] = [newEmail(), newEmail()];
  await join(plain, workspaceId, asked, 'member');
  await join(plain, workspaceId, handed, 'member');
  await new Browser(mailing.url).api('POST', '/password-resets', { email: asked });
  await expect.poll(() => smtp.emails.length).toBe(1);
  await mailing.api('POST', '/operator/password-links', { email: handed });
  for (const email of smtp.emails) await reset(tokenIn(email));
  expect([await isProven(asked), await isProven(handed)]).toEqual([true, true]);
});

test('a password reset link that someone handed over proves nothing', async () => {
  const email = newEmail();
  await join(plain, workspaceId, email, 'member');
  const { link } = (await plain.api('POST', '/operator/password-links', { email })).json;
  await reset(link.split('#token=')[1]);
  expect(await isProven(email)).toBe(false);
});

test('the first person has proven nothing', async () => {
  const service = await startTestService({ env: { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' } });
  const pool = openTestPool(service.databaseUrl);
  try {
    const link = await createSetupLink({ pool, clock: service.clock, publicUrl: () => service.url });
    const ada = { name: 'Ada', email: 'ada@example.com', password: goodPassword, workspace_name: 'Engines' };
    const token = link?.split('#token=')[1];
    expect((await new Browser(service.url).api('POST', '/setup', { token, ...ada })).status).toBe(201);
    const { rows } = await pool.query('select email, email_verified from people');
    expect(rows).toEqual([{ email: 'ada@example.com', email_verified: false }]);
  } finally {
    await pool.end();
    await service.stop();
  }
});
