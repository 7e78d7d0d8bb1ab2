import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword } from '../support/browser/browser.ts';
import {
  type BrowserWorld,
  focused,
  seriousFindings,
  startBrowserWorld,
} from '../support/browser/chromium.ts';
import { newSetupPath } from '../support/browser/setup-path.ts';
import { send } from '../support/sender.ts';

let world: BrowserWorld;
let page: Page;
let base: string;
let token: string;

/** An owner goes from an empty workspace to a lead, a rejection and a new secret; each test continues from the last. */
beforeAll(async () => {
  world = await startBrowserWorld();
  page = await world.open(await newSetupPath(world.service));
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const postLead = (bearer: string) =>
  send(
    `${world.service.url}/api/v1/ingest`,
    'POST',
    { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    '{"name":"Ada Lovelace","email":"ada@example.com","company":"Engines"}',
  );

test('the setup link creates the first owner and their workspace', async () => {
  await page.getByLabel('Your name').fill('Ada Lovelace');
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Workspace').fill('Fresh');
  await page.getByRole('button', { name: 'Create account and workspace' }).click();
  await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
  base = new URL(page.url()).pathname;
});

test('a form is created with a slug that is checked while it is typed', async () => {
  await page.getByRole('link', { name: 'Create a form' }).click();
  await page.getByRole('button', { name: 'Create form' }).first().click();
  const dialog = page.getByRole('dialog');
  await focused(dialog.getByLabel('Name'));
  await dialog.getByLabel('Name').fill('Contact us');
  await dialog.getByLabel('Slug').fill('Not A Slug');
  await dialog.getByRole('button', { name: 'Use not-a-slug' }).click();
  await dialog.getByText('available', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('heading', { name: 'Contact us' }).waitFor();
});

test('fields come from a pasted example and are still there after a reload', async () => {
  await page.getByRole('button', { name: 'Paste example' }).click();
  await page.getByLabel('Example JSON').fill('{"name":"Ada","email":"ada@example.com"}');
  await page.getByRole('button', { name: 'Add 2 fields' }).click();
  await page.getByRole('button', { name: 'Save fields' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(() => page.getByLabel('Key of field 2').inputValue()).toBe('email');
  await expect.poll(() => page.getByRole('combobox', { name: 'Type of field 2' }).inputValue()).toBe('email');
});

test('an error in one of many fields is shown at its input, and discarding removes the row', async () => {
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('button', { name: 'Save fields' }).click();
  const key = page.getByLabel('Key of field 3');
  await expect.poll(() => key.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Key of field 2').getAttribute('aria-invalid')).not.toBe('true');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await key.waitFor({ state: 'detached' });
});

test('an invalid scoring setting is marked at its input until it is edited', async () => {
  await page.getByRole('tab', { name: 'Scoring' }).click();
  await page.getByRole('button', { name: 'Add keyword' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const keyword = page.getByLabel('Keyword 1', { exact: true });
  await expect.poll(() => keyword.getAttribute('aria-invalid')).toBe('true');
  await keyword.fill('casino*');
  expect(await keyword.getAttribute('aria-invalid')).not.toBe('true');
  await page.getByRole('button', { name: 'Discard' }).click();
  await keyword.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Fields' }).click();
});

test('a saved name is shown as it was stored, and what is typed while it is saved stays unsaved', async () => {
  const name = page.getByLabel('Name', { exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const before = await name.inputValue();
  // The page learns of the new name from the stream before it has the response to the save.
  await page.route('**/forms/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const response = await route.fetch();
    await page.getByRole('heading', { name: 'A name with spaces', exact: true }).waitFor();
    await route.fulfill({ response });
  });
  await name.fill('  A name with spaces ');
  await save.click();
  await expect.poll(() => name.inputValue()).toBe('A name with spaces');
  await page.unroute('**/forms/*');
  const held = Promise.withResolvers<void>();
  await page.route('**/forms/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise;
    await route.continue();
  });
  await name.fill('Sent');
  await save.click();
  await name.fill(before);
  held.resolve();
  await page.getByRole('heading', { name: 'Sent', exact: true }).waitFor();
  expect(await name.inputValue()).toBe(before);
  await save.click();
  await page.getByRole('heading', { name: before, exact: true }).waitFor();
  await page.unroute('**/forms/*');
});

test('a new token is shown once, and closing the dialog asks first', async () => {
  await page.getByRole('link', { name: 'Ingest tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Backend');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog').getByLabel('Token', { exact: true });
  await shown.waitFor();
  token = await shown.inputValue();
  expect(token).toMatch(/^ingt_srv_/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go back' }).click();
  expect(await shown.inputValue()).toBe(token);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: /^Backend/ }).waitFor();
  expect(await page.content()).not.toContain(token);
});

test('the page that waits for the first lead shows it by itself', async () => {
  await page.getByRole('link', { name: 'Leads' }).click();
  await page.getByText('Waiting for the first lead').waitFor();
  expect((await postLead(token)).status).toBe(202);
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
});

test('a lead has its own URL, with fields, score and exact bytes, and can be marked', async () => {
  await page.getByRole('cell', { name: 'ada@example.com' }).click();
  await page.waitForURL(/\/leads\/[0-9a-f-]{36}$/);
  await page.reload();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Ada Lovelace').first().waitFor();
  await drawer.getByRole('tab', { name: 'Score' }).click();
  await drawer.getByText('Scored when the lead arrived.').waitFor();
  await drawer.getByRole('tab', { name: 'Exact bytes' }).click();
  await drawer.getByText('{"name":"Ada Lovelace"').waitFor();
  await drawer.getByRole('button', { name: 'Mark as spam' }).click();
  await drawer.getByText('Marked by').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/leads$/);
});

test('filters are in the URL, and a filter that finds nothing says so', async () => {
  await page.getByLabel('Search leads').fill('nobody has this');
  await page.getByText('No leads match these filters').waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('nobody has this');
  await focused(page.getByLabel('Search leads'));
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
});

test('a secret is set and shown once, and a signed test lead goes through', async () => {
  await page.getByRole('link', { name: 'Forms' }).click();
  await page.getByRole('link', { name: 'Contact us' }).click();
  await page.getByRole('tab', { name: 'Delivery settings' }).click();
  await page.getByRole('button', { name: 'Set secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Set secret' }).click();
  const shown = page.getByRole('dialog').getByLabel('Secret', { exact: true });
  await shown.waitFor();
  expect(await shown.inputValue()).toMatch(/^lgs_/);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('button', { name: 'Send test lead' }).click();
  await page.getByText(/Accepted in/).waitFor();
});

test('rotating keeps the previous secret valid for the overlap, shows how much it is used, and lets it be ended', async () => {
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText('The previous secret stays valid until').waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('Two secrets are valid').waitFor();
  await page.getByText('It has not been used since the rotation.').waitFor();
  await page.getByRole('button', { name: 'End overlap now' }).click();
  await page.getByText('Two secrets are valid').waitFor({ state: 'detached' });
});

test('a request with a wrong signature is rejected, and the debugger names the mistake', async () => {
  const formId = /forms\/([0-9a-f-]{36})/.exec(page.url())?.[1];
  await page.goto(`${base}/debugger?form=${formId}&mode=parts`);
  await page.getByLabel('X-SVC-Timestamp').fill(String(Date.now()));
  await page.getByLabel('X-SVC-Signature').fill('ab'.repeat(32));
  await page.getByLabel('Body, exactly as sent').fill('{"name":"Ada"}');
  await page.getByRole('button', { name: 'Debug request' }).click();
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor();
  await page.getByRole('heading', { name: 'String to sign' }).waitFor();
});

test('a rotated token is shown once, and the table says how long the old one works and can end it', async () => {
  await page.getByRole('link', { name: 'Ingest tokens' }).click();
  await page.getByRole('button', { name: 'Rotate Backend' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The old one was last used').waitFor();
  await dialog.getByText('1 hour', { exact: true }).click();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Rotate token' }).click();
  const shown = dialog.getByLabel('Token', { exact: true });
  await shown.waitFor();
  const successor = await shown.inputValue();
  await dialog.getByText('$LEADGATE_TOKEN').waitFor();
  await dialog.getByText(world.service.url).waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText(/^Replaced by/).waitFor();
  await page.getByText(/^Replaces/).waitFor();
  expect((await postLead(token)).status).toBe(202);
  expect((await postLead(successor)).status).toBe(202);
  await page.getByRole('button', { name: 'End now: old token of Backend' }).click();
  await dialog.getByLabel(/to confirm/).fill('Backend');
  await dialog.getByRole('button', { name: 'End old token' }).click();
  await page.getByText('Show 1 revoked or expired token').waitFor();
  // The table follows the database. The dialog closes when the call is done, and the service knows the change by then.
  await dialog.waitFor({ state: 'detached' });
  expect((await postLead(token)).status).toBe(200);
  token = successor;
});

test('revoking a token that was used today needs its name, and its rejections show their reason', async () => {
  await page.getByRole('link', { name: 'Ingest tokens' }).click();
  await page.getByRole('button', { name: 'Revoke Backend' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('token_revoked').waitFor();
  await dialog.getByLabel(/to confirm/).fill('Backend');
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('Show 2 revoked or expired tokens').waitFor();
  // The table follows the database. The dialog closes when the call is done, and the service knows the change by then.
  await dialog.waitFor({ state: 'detached' });
  const requestId = String((await postLead(token)).headers['x-request-id']);
  await page.getByRole('link', { name: 'Diagnostics' }).click();
  await page.getByText('The token was revoked or has expired.').waitFor();
  await page.getByLabel('Request ID', { exact: true }).fill(requestId);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: requestId.slice(-12) });
  await row.getByRole('cell', { name: 'token_revoked' }).waitFor();
});

test('the chart is zoomed by dragging and by keys, and the URL keeps the range until it is reset', async () => {
  await page.goto(`${base}/tokens/diagnostics?range=7d`);
  const chart = page.getByRole('group', { name: /^Chart over time/ });
  const range = () => {
    const { searchParams } = new URL(page.url());
    return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
  };
  const hourMs = 3_600_000;
  await chart.focus();
  await page.keyboard.press('End');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=/);
  expect(range()).toBe(6 * hourMs);
  await page.getByRole('button', { name: 'Reset zoom' }).click();
  await page.waitForURL((url) => !url.searchParams.has('from'));
  expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
  // The URL changes first; the bars show seven days again when there is nothing to reset.
  await page.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'detached' });

  const box = await chart.boundingBox();
  if (box === null) throw new Error('There is no chart.');
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, middle, { steps: 5 });
  await page.mouse.move(box.x + box.width * 0.6, middle, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=/);
  expect(range()).toBeGreaterThan(12 * hourMs);
  expect(range()).toBeLessThan(80 * hourMs);
  await chart.focus();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('from'));
});
