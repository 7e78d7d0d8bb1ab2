import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { join, type Browser as Person } from '../support/browser/browser.ts';
import {
  type BrowserWorld,
  plainHost,
  seriousFindings,
  startBrowserWorld,
} from '../support/browser/chromium.ts';
import { revisit } from '../support/browser/looks.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { createSender, type PostOptions, post, type Sender } from '../support/sender.ts';

const body = '{"email":"grace@private.example"}';
const newline = 'Not valid: the body was signed with a newline at the end that was not sent.';

let world: BrowserWorld;
let sender: Sender;
let owner: Person;
let page: Page;
let base: string;
let withNewline: string;
let withOtherSecret: string;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  base = `/w/${sender.workspaceId}`;
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  await world.service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Other' });
  withNewline = await rejected(signedAs(`${body}\n`));
  withOtherSecret = await rejected({ secret: 'whsec_something else' });
  page = await world.open(`${base}/tokens/diagnostics`, { person: owner, host: plainHost });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

function signedAs(text: string, time = Math.floor(Date.now() / 1000)): PostOptions {
  const signature = sign(sender.secret, String(time), Buffer.from(text)).toString('hex');
  return { headers: { 'X-SVC-Timestamp': String(time), 'X-SVC-Signature': signature } };
}

/** The last part of the request's ID. */
async function rejected(options: PostOptions): Promise<string> {
  const { headers } = await post(world.service, sender, 'webhook', body, options);
  const id = String(headers['x-request-id']);
  await eventually(
    () => diagnosticsOf(world.service, sender, `?request_id=${id}`),
    ({ items }) => items.length > 0,
  );
  return id;
}

const verdict = (text: string) => page.getByRole('alert').filter({ hasText: text });
const choice = (index: number) =>
  page.getByRole('radiogroup', { name: 'Rejected requests' }).getByRole('radio').nth(index);

test('a rejection in Diagnostics is one click from its verdict, which is still there after a reload', async () => {
  await page.getByRole('link', { name: `Debug signature of request ${withNewline}` }).click();
  await verdict(newline).waitFor();
  await verdict('when the request arrived').waitFor();
  await page.reload();
  await verdict(newline).waitFor();
  await page.getByRole('img', { name: /^Sender's clock: .* Within ±5 min\.$/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test('the chosen language stays chosen, here and where samples are shown', async () => {
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Ruby').click();
  await page.getByText('JSON.generate').waitFor();
  await page.reload();
  await page.getByText('JSON.generate').waitFor();
  await page.goto(`${base}/forms/${sender.formId}/delivery`);
  await page.getByRole('region', { name: 'Ruby sample' }).waitFor();
  await page.goBack();
});

test('the report is copied on plain HTTP, with the request ID and the code, but without a secret', async () => {
  await verdict(newline).waitFor();
  expect(await page.evaluate('[isSecureContext, navigator.clipboard === undefined]')).toEqual([false, true]);
  await page.getByRole('button', { name: 'Copy report for the sender' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.getByText('Paste request').click();
  const field = page.getByLabel('curl command or HTTP request');
  await field.focus();
  await page.keyboard.press('Control+V');
  const report = await field.inputValue();
  for (const part of [
    newline,
    `Request ID: ${withNewline}`,
    'Clock drift: ',
    'JSON.generate',
    `of which ${body.length} are`,
  ])
    expect(report).toContain(part);
  for (const secret of [sender.secret, sender.token, 'grace@']) expect(report).not.toContain(secret);
});

test('it opens on the newest failure of all forms with its verdict, and stays there when another arrives', async () => {
  await page.goto(`${base}/debugger`);
  await verdict('none of the').waitFor();
  expect(await page.getByRole('combobox', { name: 'Form' }).inputValue()).toBe('Contact');
  expect(await choice(0).isChecked()).toBe(true);
  expect(await page.getByRole('button', { name: 'Debug request' }).count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await rejected(signedAs('{}'));
  await expect.poll(() => choice(1).isChecked()).toBe(true);
  await verdict('none of the').waitFor();
});

test('another choice clears the verdict, and a late response about the first does not bring it back', async () => {
  await page.goto(`${base}/debugger?form=${sender.formId}`);
  const held = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/signature-debug', async (route) => {
    if (++asked === 1) await held.promise;
    await route.continue().catch(() => undefined);
  });
  // The newest is chosen first.
  await expect.poll(() => asked).toBe(1);
  await choice(2).click();
  await verdict(newline).waitFor();
  held.resolve();
  await choice(1).click();
  await verdict('none of the').waitFor();
  expect(await verdict(newline).count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('rejection')).toBe(await entryId(withOtherSecret));
  await page.unroute('**/signature-debug');
  await page.getByRole('combobox', { name: 'Form' }).click();
  await page.getByRole('option', { name: 'Other' }).click();
  await page.getByText('Choose a rejected request, or paste one').waitFor();
  expect(await page.getByRole('heading', { name: 'Checks' }).count()).toBe(0);
});

async function entryId(requestId: string): Promise<string> {
  return (await diagnosticsOf(world.service, sender, `?request_id=${requestId}`)).items[0].id;
}

test('a pasted request of yesterday is checked as of when it was sent, and editing it clears the verdict', async () => {
  const time = Math.floor(Date.now() / 1000) - 90_061;
  await page.goto(`${base}/debugger?form=${sender.formId}&mode=parts`);
  await page.getByLabel('X-SVC-Timestamp').fill(String(time));
  await page.getByLabel('X-SVC-Signature').fill(String(signedAs(body, time).headers?.['X-SVC-Signature']));
  await page.getByLabel('Body, exactly as sent').fill(body);
  const run = page.getByRole('button', { name: 'Debug request' });
  await run.click();
  await page.getByRole('img', { name: /1 d 1 h behind\. Outside ±5 min\.$/ }).waitFor();
  await page.getByRole('button', { name: 'Use the time in its timestamp' }).click();
  await verdict('Valid: ').waitFor();
  await verdict('the time you entered').waitFor();
  const sentAt = page.getByLabel('Sent at');
  await sentAt.fill('Date: soon');
  await page.getByText('This is not a time.').waitFor();
  expect(await run.isDisabled()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Checks' }).count()).toBe(0);
  await sentAt.fill(`Date: ${new Date((time + 600) * 1000).toUTCString()}`);
  await run.click();
  await page.getByRole('img', { name: /: 10 min behind\. Outside/ }).waitFor();
});

test('a member who opens the link sees that it is for owners', async () => {
  const member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
  await revisit(
    page,
    `${base}/debugger?form=${sender.formId}&rejection=${await entryId(withNewline)}`,
    member,
  );
  await page.getByText('Owners only').waitFor();
  expect(await page.getByRole('button', { name: 'Debug request' }).count()).toBe(0);
});

test('where copying is refused, the text is selected inside the dialog, and the keys copy it', async () => {
  await revisit(page, `${base}/tokens`, owner);
  await page.evaluate('document.execCommand = () => true');
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Copied');
  await page.keyboard.press('Enter');
  const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  const text = dialog.getByLabel('Text to copy');
  await text.and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('alert').filter({ hasText: 'Press Ctrl+C to copy.' }).count()).toBe(1);
  expect(await page.evaluate('String(getSelection())')).toBe(token);
  expect(await dialog.getByText('Copied', { exact: true }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await text.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Copy as .env line' }).click();
  await text.waitFor();
  await page.keyboard.press('Control+C');
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await page.goto(`${base}/leads`);
  const search = page.getByLabel('Search leads');
  await search.focus();
  await page.keyboard.press('Control+V');
  expect(await search.inputValue()).toBe(`LEADGATE_TOKEN=${token}`);
});
