import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Browser, join } from '../../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../../support/browser/chromium.ts';
import { actionsOutside, findingsInLightAndDark, overflow, revisit } from '../../support/browser/looks.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let page: Page;
let sender: Sender;
let owner: Browser;
let people = 0;
let sent = 0;

beforeAll(async () => {
  world = await startBrowserWorld();
  page = await world.open('/sign-in');
});
beforeEach(async () => {
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, `owner${++people}@example.com`, 'owner');
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const formPath = () => `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
const readForm = async () => (await world.service.api('GET', formPath())).json;
const open = (path = '', person = owner) => revisit(page, `/w/${sender.workspaceId}/forms${path}`, person);
const send = (fields: object, to = sender) =>
  post(world.service, to, 'webhook', JSON.stringify({ ...fields, n: ++sent }));
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('the list of forms shows leads, rejections and the last lead of each form, and follows new ones', async () => {
  await world.service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Quiet form' });
  expect((await send({ email: 'ada@example.com' })).status).toBe(202);
  expectRejected(await send({}, { ...sender, secret: 'not-the-secret' }));
  await open();
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  const quiet = rowOf('Quiet form');
  await quiet.getByText('None', { exact: true }).waitFor();
  const used = rowOf(sender.slug);
  await used.getByRole('link', { name: '1 rejected' }).waitFor();
  await used.getByRole('link', { name: '1', exact: true }).waitFor();
  await used.getByText(/now|second/).waitFor();
  expect((await send({})).status).toBe(202);
  await used.getByRole('link', { name: '2', exact: true }).waitFor();
  expect(await findingsInLightAndDark(page, 'forms')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect([await overflow(page), await actionsOutside(page)]).toEqual([0, []]);
  await page.setViewportSize({ width: 1280, height: 800 });

  const member = await join(world.service, sender.workspaceId, `member${people}@example.com`, 'member');
  await open('', member);
  await used.getByRole('link', { name: '2', exact: true }).waitFor();
  expect(await page.getByText('rejected').count()).toBe(0);
});

test('a rename offers an alias that is off by default; a kept slug works until the owner ends it', async () => {
  await open(`/${sender.formId}`);
  await page.getByLabel('Slug').fill(`${sender.slug}-new`);
  await page.getByText('will be rejected').waitFor();
  const choice = page.getByLabel('Keep it as an alias for 30 days');
  expect(await choice.isChecked()).toBe(false);
  await choice.check();
  await page.getByText('accepted for another 30 days').waitFor();
  expect(await findingsInLightAndDark(page, 'rename')).toEqual([]);
  await button('Save').click();
  const end = button(`End alias ${sender.slug}`);
  await end.waitFor();
  await page.getByText('it has not been used').waitFor();
  expect((await send({})).status).toBe(202);
  expect(await seriousFindings(page)).toEqual([]);

  await end.click();
  await page.getByRole('dialog').getByText('are then rejected').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'End alias' }).click();
  await end.waitFor({ state: 'detached' });
  expectRejected(await send({}));
  await button(sender.slug).waitFor();
});

test('an ignored key is no longer suggested, until the owner takes it back', async () => {
  for (let i = 0; i < 2; i++) await send({ email: 'ada@example.com', utm_term: 'pump' });
  await open(`/${sender.formId}`);
  await button('Ignore utm_term').click();
  const again = button('Suggest utm_term again');
  await again.waitFor();
  expect(await button('Add utm_term').count()).toBe(0);
  expect((await readForm()).ignored_keys).toEqual(['utm_term']);
  await page.reload();
  await button('Add email').waitFor();
  expect(await button('Add utm_term').count()).toBe(0);
  await again.click();
  await button('Add utm_term').waitFor();
  expect((await readForm()).ignored_keys).toEqual([]);
});

test('hidden keys leave the lead table and the page of a lead, but not its exact bytes, the search and the export', async () => {
  await world.service.api('PATCH', formPath(), { fields: [{ key: 'email', label: 'Email' }] });
  await send({ email: 'ada@example.com', utm_term: 'pump' });
  await open(`/${sender.formId}`);
  await page.getByLabel('Show undeclared keys of leads').click();
  const isHidden = ({ unknown_keys }: { unknown_keys: string }) => unknown_keys === 'hidden';
  expect(isHidden(await eventually(readForm, isHidden))).toBe(true);
  const leads = `/w/${sender.workspaceId}/leads`;
  await page.goto(`${leads}?q=pump`);
  await button('Columns').click();
  await page.getByRole('checkbox', { name: 'Email' }).waitFor();
  expect(await page.getByText('utm_term').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByText('ada@example.com').first().click();
  await page.getByText('2 undeclared keys are hidden').waitFor();
  expect(await page.getByText('utm_term').count()).toBe(0);
  await page.getByRole('tab', { name: 'Exact bytes' }).click();
  await page.getByText('utm_term').first().waitFor();
  const exported = await world.service.api(
    'GET',
    `/workspaces/${sender.workspaceId}/leads/export?format=csv`,
  );
  expect(exported.text).toContain('utm_term');
  await world.service.api('PATCH', formPath(), { unknown_keys: 'shown' });
  await page.goto(leads);
  await button('Columns').click();
  await page.getByRole('checkbox', { name: 'utm_term' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('ada@example.com').first().click();
  await page.getByText('utm_term').first().waitFor();
});

test('fields leave as JSON Schema and come back from one, with a list of what a field cannot keep', async () => {
  const fields = [{ key: 'email', label: 'Your email', type: 'email', required: true }];
  await world.service.api('PATCH', formPath(), { fields });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`/${sender.formId}`);
  await button('Copy JSON Schema').click();
  await page.getByText('Copied').first().waitFor();
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${sender.slug}.schema.json`);
  const served = await world.service.api('GET', `${formPath()}/schema`);
  expect(copied).toEqual(JSON.parse(served.text));
  expect(copied.properties).toEqual({ email: { title: 'Your email', type: 'string', format: 'email' } });

  await button('Import JSON Schema').click();
  const dialog = page.getByRole('dialog');
  const input = dialog.getByLabel('JSON Schema');
  await input.fill('{"properties":{"a":{},"a":{}}}');
  await dialog.getByText('"a" occurs twice').waitFor();
  const schema = { properties: { age: { type: 'number', minimum: 0 }, email: copied.properties.email } };
  await input.fill(JSON.stringify({ ...schema, required: ['age'] }));
  await dialog.getByText('Not imported').waitFor();
  await dialog.getByText('minimum').last().waitFor();
  expect(await findingsInLightAndDark(page, 'schema')).toEqual([]);
  await dialog.getByRole('button', { name: 'Use 2 fields' }).click();
  await button('Save fields').click();
  await page.getByText('Fields saved.').waitFor();
  expect((await readForm()).fields).toEqual([
    { key: 'age', type: 'number', required: true },
    { key: 'email', label: 'Your email', type: 'email' },
  ]);
});

test('the delivery settings say how the secret begins, who set it and when a signature last matched it', async () => {
  const { json } = await world.service.api('PUT', `${formPath()}/webhook-secret`, {});
  await open(`/${sender.formId}/delivery`);
  await page.getByText(`${json.secret.slice(0, 8)}…`).waitFor();
  await page.getByText('by operator').waitFor();
  await page.getByText('No signature has matched it yet.').waitFor();
  expect(await page.getByText(json.secret.slice(8, 20)).count()).toBe(0);
  expect((await send({}, { ...sender, secret: json.secret })).status).toBe(202);
  await page.getByText('Last verified').waitFor();
  expect(await findingsInLightAndDark(page, 'secret')).toEqual([]);
});
