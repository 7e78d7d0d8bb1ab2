import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, goodPassword, invite, join, makeOperator } from '../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit } from '../support/browser/looks.ts';
import { picture } from '../support/browser/picture.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSmtp, tokenIn } from '../support/smtp.ts';

let world: BrowserWorld;
/** The same service without a mail server, for people to join at. */
let plain: TestService;
let page: Page;
let smtp: Awaited<ReturnType<typeof startSmtp>>;

beforeAll(async () => {
  smtp = await startSmtp();
  plain = await startTestService();
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
  world = await startBrowserWorld({ databaseUrl: plain.databaseUrl, env });
  page = await world.open('/sign-in', { width: 1440 });
});
beforeEach(() => {
  smtp.behaviour.refuses = false;
  smtp.emails.length = 0;
});
afterAll(async () => {
  await world.stop();
  await plain.stop();
  await smtp.stop();
  expect(world.faults).toEqual([]);
});

/** Two instances share their sessions: people who join at the one without mail are signed in at the other. */
const person = (workspaceId: string, email: string, role: string) => join(plain, workspaceId, email, role);

/** Accessible in light and dark, and no wider than a phone. */
async function expectForEverybody(pictureName: string): Promise<void> {
  expect(await findingsInLightAndDark(page, pictureName)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await picture(page, `${pictureName}-phone`);
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

describe('an operator', () => {
  let operator: Browser;
  beforeAll(async () => {
    operator = await person(await createWorkspace(plain, 'Home'), 'operator@example.com', 'member');
    await makeOperator(plain, operator);
    const workspaceId = await createWorkspace(plain, 'Difference Engines');
    const inviter = await join(plain, workspaceId, 'inviter@example.com', 'owner');
    const made = await inviter.api('POST', `/workspaces/${workspaceId}/invitations`, {
      email: 'grace@example.com',
      role: 'member',
    });
    await new Browser(plain.url).api('POST', '/invitations/accept', {
      token: made.json.link.split('#token=')[1],
      name: 'Grace Hopper',
      password: goodPassword,
    });
  });

  test('sees who a person is before promoting them, and promotes no other', async () => {
    await revisit(page, '/operator/people', operator);
    await page.getByLabel('Find a person').fill('nobody at all');
    await page.keyboard.press('Enter');
    await page.getByText('No people match this search.').waitFor();
    await page.getByLabel('Find a person').fill('hopper');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Make operator: Grace Hopper' }).click();
    const dialog = page.getByRole('dialog');
    for (const fact of [
      'Grace Hopper',
      'grace@example.com',
      'inviter@example.com',
      'Difference Engines (member)',
    ])
      await dialog.getByText(fact).first().waitFor();
    await expectForEverybody('promote');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByLabel('Find a person').fill('grace@');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make operator: Grace Hopper' }).click();
    await dialog.getByRole('button', { name: 'Make operator' }).click();
    await page.getByText('Grace Hopper is now an operator.').waitFor();
    const { json } = await plain.api('GET', '/operator/people?operator=true');
    const names = json.items.map(({ email }: { email: string }) => email).sort();
    expect(names).toEqual(['grace@example.com', 'operator@example.com']);
  });
});

describe('an owner of a service that sends email', () => {
  test('invites without ever seeing the link, learns of a failure, and sends again', async () => {
    const workspaceId = await createWorkspace(plain, 'Mailing');
    const owner = await person(workspaceId, 'mailer@example.com', 'owner');
    await revisit(page, `/w/${workspaceId}/workspace`, owner);
    smtp.behaviour.refuses = true;
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email').fill('guest@example.com');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The invitation is kept').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'mail-failed-light');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Email not sent').waitFor();
    await expectForEverybody('invited');
    smtp.behaviour.refuses = false;
    await page.getByRole('button', { name: 'Send again: guest@example.com' }).click();
    await page.getByRole('dialog').getByText('Email sent').waitFor();
    await picture(page, 'mail-sent-dark');
    expect(await page.content()).not.toContain(tokenIn(smtp.emails[0]));
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByText('Email not sent').waitFor({ state: 'detached' });
  });

  test('sees which invitation has expired, and sends it again for another week', async () => {
    const workspaceId = await createWorkspace(plain, 'Late');
    const owner = await person(workspaceId, 'patient@example.com', 'owner');
    await owner.api('POST', `/workspaces/${workspaceId}/invitations`, {
      email: 'holiday@example.com',
      role: 'member',
    });
    const seed = new Seed(plain);
    await seed.query(
      `update invitations set expires_at = now() - interval '2 days' where workspace_id = $1`,
      [workspaceId],
    );
    await seed.stop();
    await revisit(page, `/w/${workspaceId}/workspace`, owner);
    await page.getByText('Expired', { exact: true }).waitFor();
    await expectForEverybody('expired');
    await page.getByRole('button', { name: 'Send again: holiday@example.com' }).click();
    await page.getByRole('dialog').getByText('Email sent').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByText('Expired', { exact: true }).waitFor({ state: 'detached' });
    await page.getByText('link expires in 7 days').waitFor();
    const preview = { token: tokenIn(smtp.emails[0]) };
    expect((await plain.api('POST', '/invitations/preview', preview)).status).toBe(200);
  });

  test('can have a password link sent to a member', async () => {
    const workspaceId = await createWorkspace(plain, 'Forgetful');
    const owner = await person(workspaceId, 'olga@example.com', 'owner');
    await person(workspaceId, 'frank@example.com', 'member');
    await revisit(page, `/w/${workspaceId}/workspace`, owner);
    await page.getByRole('button', { name: 'Reset password of frank' }).click();
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('dialog').getByText('Email sent').waitFor();
    expect(await page.content()).not.toContain(tokenIn(smtp.emails[0]));
  });
});

test('somebody who opens an invitation for another address is told so before joining', async () => {
  const token = await invite(plain, await createWorkspace(plain, 'Forwarded'), 'meant@example.com', 'member');
  const other = await person(await createWorkspace(plain), 'other@example.com', 'member');
  await revisit(page, `/join#token=${token}`, other);
  await page.getByText('This invitation is for meant@example.com.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test('the invitation of an owner who was removed no longer works', async () => {
  const workspaceId = await createWorkspace(plain, 'Left');
  const owner = await join(plain, workspaceId, 'leaver@example.com', 'owner');
  await join(plain, workspaceId, 'stayer@example.com', 'owner');
  const made = await owner.api('POST', `/workspaces/${workspaceId}/invitations`, {
    email: 'late@example.com',
    role: 'owner',
  });
  const { id } = (await owner.api('GET', '/me')).json.user;
  await plain.api('DELETE', `/workspaces/${workspaceId}/members/${id}`);
  await revisit(page, `/join#token=${made.json.link.split('#token=')[1]}`);
  await page.getByText('This invitation is no longer valid').waitFor();
  expect(await page.content()).not.toContain('Join Left');
});
