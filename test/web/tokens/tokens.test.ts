import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Seed } from '../../manage/leads/seed.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { type BrowserWorld, focused, plainHost, startBrowserWorld } from '../../support/browser/chromium.ts';
import { createSender, post, type Sender, someLead } from '../../support/sender.ts';
import { expectGoodLooks } from '../destinations/other-kinds.ts';

let world: BrowserWorld;
let seed: Seed;
let sender: Sender;
let owner: Browser;
let page: Page;
/** All that the settings area has sent: the key of a link must be in none of it. */
const sent: string[] = [];

/** Each test continues from the last. */
beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${sender.workspaceId}/tokens`, { person: owner });
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const api = () => `/workspaces/${sender.workspaceId}/tokens`;
const dialog = () => page.getByRole('dialog');
const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const listed = async (name: string) => {
  const { json } = await owner.api('GET', api());
  return json.items.find((token: { name: string }) => token.name === name);
};
let secret: string;
let link: string;

test('a token is created by Enter, with a last day, and works until the end of it', async () => {
  await page.getByRole('button', { name: 'Create token' }).click();
  await focused(dialog().getByLabel('Name'));
  await dialog().getByLabel('Name').fill('Agency');
  await dialog().getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'On a date' }).click();
  await dialog().getByLabel('Last day').fill('2020-01-31');
  await dialog().getByRole('button', { name: 'Create token' }).click();
  // The browser refuses a day that has passed.
  await focused(dialog().getByLabel('Last day'));
  expect(await listed('Agency')).toBeUndefined();
  await dialog().getByLabel('Last day').fill('2099-01-31');
  await dialog().getByLabel('Name').press('Enter');
  const shown = dialog().getByLabel('Token', { exact: true });
  await shown.waitFor();
  secret = await shown.inputValue();
  const end = await page.evaluate<string>("new Date('2099-02-01T00:00:00').toISOString()");
  expect((await listed('Agency')).expires_at).toBe(end);
});

test('while a new token is shown, the list behind it changes and the token stays', async () => {
  await owner.api('POST', api(), { name: 'Created by another', form_id: sender.formId });
  await page.getByText('Created by another').waitFor();
  expect(await dialog().getByLabel('Token', { exact: true }).inputValue()).toBe(secret);
});

test('a hand-over link is created without sending the token or the key anywhere', async () => {
  await dialog().getByRole('button', { name: 'Create hand-over link' }).click();
  const code = dialog().locator('pre.code').filter({ hasText: '/handover#token=' });
  link = (await code.textContent()) ?? '';
  const key = new URLSearchParams(new URL(link).hash.slice(1)).get('key') as string;
  expect(key).toHaveLength(43);
  await expectGoodLooks(page, 'tokens-hand-over');
  expect(sent.filter((request) => request.includes(key) || request.includes(secret))).toEqual([]);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await row('Agency')
    .getByText(/^Unused hand-over link by olga, expires/)
    .waitFor();
});

test('its reader needs no account, sees who hands over what, and uses it up only with the button', async () => {
  const address = new URL(link);
  const reader = await world.open('/sign-in');
  const theirs: string[] = [];
  reader.on('request', (request) => theirs.push(`${request.url()} ${request.postData() ?? ''}`));
  for (const time of [1, 2]) {
    await reader.goto('/api/v1/setup');
    await reader.goto(address.pathname + address.hash);
    await reader.getByText('olga').waitFor();
    await reader.getByText('Agency').waitFor();
    if (time === 1) await expectGoodLooks(reader, 'hand-over');
  }
  expect((await listed('Agency')).handover_links).toHaveLength(1);
  await reader.getByRole('button', { name: 'Show token' }).click();
  await reader.getByRole('heading', { name: 'Token Agency' }).waitFor();
  expect(await reader.getByLabel('Token', { exact: true }).inputValue()).toBe(secret);
  expect(new URL(reader.url()).hash).toBe('');
  await expectGoodLooks(reader, 'hand-over-shown');
  const key = new URLSearchParams(address.hash.slice(1)).get('key') as string;
  expect(theirs.filter((request) => request.includes(key) || request.includes(secret))).toEqual([]);
  // The list of the owner follows by itself.
  await row('Agency').getByText('Unused hand-over link').waitFor({ state: 'detached' });

  await reader.goto('/api/v1/setup');
  await reader.goto(address.pathname + address.hash);
  await reader.getByText('It was opened already').waitFor();
  await reader.goto('/api/v1/setup');
  await reader.goto(address.pathname + address.hash.slice(0, -1));
  await reader.getByText('Part of the link is missing').waitFor();
  await expectGoodLooks(reader, 'hand-over-not-valid');
});

test('without HTTPS, the reader is told why the token cannot be shown, and the link is not used up', async () => {
  const path = `${api()}/${(await listed('Agency')).id}/handover-links`;
  const { json } = await owner.api('POST', path, { ciphertext: 'A'.repeat(100) });
  const { hash } = new URL(json.link);
  const plain = await world.open(`/handover${hash}&key=${'x'.repeat(43)}`, { host: plainHost });
  await plain.getByText('Open this link over HTTPS').waitFor();
  expect(await plain.getByRole('button', { name: 'Show token' }).isDisabled()).toBe(true);
  expect((await owner.api('DELETE', `${path}/${json.id}`)).status).toBe(204);
});

test('the list says who created each token, when it expires and was used, and what to do', async () => {
  const backend = row('Backend');
  await backend.getByText('Operator', { exact: true }).waitFor();
  await backend.getByText('Never used', { exact: true }).waitFor();
  await backend.getByText('Idle').waitFor();
  await backend.getByText('Put it in your backend and send a lead.').waitFor();
  await row('Agency').getByText('olga', { exact: true }).waitFor();
  await row('Agency')
    .getByText(/^in [\d,]{5,} days$/)
    .waitFor();
  await seed.query(
    `update tokens set creator_kind = null, created_at = now() - interval '31 days', last_used_at = now() - interval '30 days'
      where name = 'Created by another'`,
    [],
  );
  const old = row('Created by another');
  await old.getByText('It was not used for 30 days: revoke it if nothing needs it.').waitFor();
  await old.getByText('Unknown', { exact: true }).waitFor();
});

test('a day of traffic is drawn in the list, and its tooltip names only what happened', async () => {
  await post(world.service, sender, 'server', someLead);
  await post(world.service, sender, 'server', 'no JSON');
  await row('Backend').getByText('Healthy').waitFor();
  const spark = row('Backend').getByRole('link', { name: /^Log of Backend.*1 rejected/ });
  expect(await spark.getAttribute('aria-label')).toBe(
    'Log of Backend, last 24 hours: 1 accepted, 1 rejected: body is not JSON',
  );
  await spark.hover();
  const tooltip = page.getByRole('tooltip');
  await tooltip.getByText('1 accepted').waitFor();
  expect(await tooltip.locator('p').allTextContents()).toEqual([
    '1 accepted',
    '1 rejected: body is not JSON',
  ]);
  await page.mouse.move(0, 0);
  await expectGoodLooks(page, 'tokens');
  for (let n = 0; n < 4; n++) await post(world.service, sender, 'server', 'no JSON');
  await row('Backend').getByText('Elevated rejections').waitFor();
  await row('Backend')
    .getByText(/^Most rejections have the reason body_not_json/)
    .waitFor();
});

test('a click on a row and Enter on its name open the page of the token, with its addresses and its log', async () => {
  await row('Backend').getByText('Elevated rejections').click();
  await page.getByRole('heading', { level: 1, name: 'Backend' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Ingest tokens' }).click();
  await page.getByRole('link', { name: 'Backend', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/tokens/${sender.tokenId}`);
  await page.getByText('127.0.0.1').waitFor();
  await page.getByText('1 accepted · 5 rejected: body is not JSON').waitFor();
  await page.getByRole('cell', { name: 'Body is not JSON' }).first().waitFor();
  await page
    .getByRole('status')
    .getByText(/^Most rejections/)
    .waitFor();
  await expectGoodLooks(page, 'token');
  await page.getByRole('link', { name: 'Open in diagnostics' }).click();
  await page.waitForURL(`**/tokens/diagnostics?token_id=${sender.tokenId}**`);
});

test('a token of an inactive form can be rotated, and one of a deleted form can only be revoked', async () => {
  const form = `/workspaces/${sender.workspaceId}/forms`;
  const { id: form_id } = (await owner.api('POST', form, { name: 'Landing page' })).json;
  const { id } = (await owner.api('POST', api(), { name: 'Campaign', form_id })).json;
  await page.goto(`/w/${sender.workspaceId}/tokens`);
  const rotate = page.getByRole('button', { name: 'Rotate Campaign' });
  await owner.api('PATCH', `${form}/${form_id}`, { active: false });
  await rotate.waitFor();
  expect((await owner.api('DELETE', `${form}/${form_id}`)).status).toBe(204);
  await rotate.waitFor({ state: 'detached' });
  await row('Campaign').getByText('Deleted form').waitFor();
  expect(await row('Campaign').getByRole('link').count()).toBe(1);
  await row('Campaign').getByRole('button', { name: 'Revoke Campaign' }).waitFor();
  await expectGoodLooks(page, 'token of a deleted form');
  await page.goto(`/w/${sender.workspaceId}/tokens/${id}`);
  await page.getByText('Deleted form').waitFor();
  expect(await page.getByRole('button', { name: /^Rotate/ }).count()).toBe(0);
  await owner.api('DELETE', `${api()}/${id}`);
});

test('an open link is cancelled in the list', async () => {
  await owner.api('POST', `${api()}/${(await listed('Agency')).id}/handover-links`, {
    ciphertext: 'A'.repeat(100),
  });
  await page.goto(`/w/${sender.workspaceId}/tokens`);
  await page.getByRole('button', { name: 'Cancel link of Agency' }).click();
  await dialog().getByRole('button', { name: 'Cancel link' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect((await listed('Agency')).handover_links).toEqual([]);
  // A click in a dialog is none on the row behind it.
  await row('Agency').waitFor();
});

test('revoking says what uses a token, and asks for its name only if it was used in the last day', async () => {
  await page.getByRole('button', { name: 'Revoke Agency' }).click();
  await dialog()
    .getByText(/^It has never been used\. Requests with it will be rejected immediately/)
    .waitFor();
  expect(
    await dialog()
      .getByLabel(/to confirm/)
      .count(),
  ).toBe(0);
  await dialog().getByRole('button', { name: 'Revoke token' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoke Backend' }).click();
  await dialog()
    .getByText(/^It was used .* from 1 address \(127\.0\.0\.1\)\. Requests with it will be/)
    .waitFor();
  const revoke = dialog().getByRole('button', { name: 'Revoke token' });
  expect(await revoke.isDisabled()).toBe(true);
  await dialog().getByLabel('Type Backend to confirm').fill('Backend');
  await revoke.click();
  await dialog().waitFor({ state: 'detached' });
  await page.goto(`/w/${sender.workspaceId}/tokens/${sender.tokenId}`);
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: /^Revoke|^Rotate/ }).count()).toBe(0);
});

test('the page of a token that does not exist says so', async () => {
  await page.goto(`/w/${sender.workspaceId}/tokens/0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10`);
  await page.getByText('Not found', { exact: true }).waitFor();
});
