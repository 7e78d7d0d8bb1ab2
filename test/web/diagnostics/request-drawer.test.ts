import { readFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleLanguages } from '../../../clients/fill-sample.ts';
import { rejectionReasons } from '../../../src/domain/rejection.ts';
import { correctedLines, topicOf } from '../../../web/pages/diagnostics/request/corrected-lines.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, focused, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { actionsOutside, findingsInLightAndDark, overflow } from '../../support/browser/looks.ts';
import { diagnosticsOf, eventually } from '../../support/diagnostics.ts';
import { createSender, type PostOptions, post, type Sender, someLead } from '../../support/sender.ts';

const attack = '<img src=x onerror=window.attacked=1>';

let world: BrowserWorld;
let sender: Sender;
let owner: Person;
let member: Person;
let page: Page;
/** Entries by name. */
let inactive: Entry;
let typed: Entry;
let unsigned: Entry;

interface Entry {
  readonly id: string;
  readonly request_id: string;
}

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  await setActive(false);
  inactive = await rejected('server', someLead);
  await setActive(true);
  const body = `{"name":"${attack}"}`;
  typed = await rejected('server', body, { headers: { 'Content-Type': 'text/plain', Cookie: 'session=x' } });
  unsigned = await rejected('webhook', someLead, { secret: 'wrong' });
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
  page = await world.open(at(), { person: owner });
  await loaded(page);
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const at = (query = '') => `/w/${sender.workspaceId}/tokens/diagnostics${query}`;
const setActive = (active: boolean) =>
  world.service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, { active });
const drawer = () => page.getByRole('dialog', { name: 'Rejected request' });
const tab = (name: string) => drawer().getByRole('tab', { name }).click();
const opener = ({ request_id }: Entry) =>
  page.getByRole('button', { name: `Details of request ${request_id}` });
const closed = () => drawer().waitFor({ state: 'detached' });
const shownId = () => new URL(page.url()).searchParams.get('request');

/** The entry of a rejected request once it is held. */
async function rejected(
  surface: 'server' | 'webhook',
  body: string,
  options: PostOptions = {},
): Promise<Entry> {
  const { headers } = await post(world.service, sender, surface, body, options);
  const { items } = await eventually(
    () => diagnosticsOf(world.service, sender, `?request_id=${headers['x-request-id']}`),
    (found) => found.items[0]?.is_held === true,
  );
  return items[0];
}

async function open(query: string): Promise<void> {
  await page.goto(at(query));
  await drawer().getByRole('tabpanel').waitFor();
}

test('a row opens the request by Enter and by click, and the focus returns to it', async () => {
  await opener(typed).focus();
  await page.keyboard.press('Enter');
  await drawer().getByText('The content type was text/plain, not application/json in UTF-8.').waitFor();
  expect(shownId()).toBe(typed.id);
  await page.keyboard.press('Escape');
  await closed();
  expect(shownId()).toBeNull();
  await focused(opener(typed));
  await page.getByText('content_type_unsupported', { exact: true }).last().click();
  await drawer().waitFor();
  await page.goBack();
  await closed();
  await focused(opener(typed));
});

test('it says why with the values of the request, how bad that is, how often it occurred and where to read more', async () => {
  await open(`?request=${typed.id}`);
  await drawer().getByText('Error: dropped').waitFor();
  await drawer()
    .getByText(/^1 time in 24 hours, 1 time in 7 days/)
    .waitFor();
  await drawer().getByText('Contact', { exact: true }).waitFor();
  const more = drawer().getByRole('link', { name: 'More about content_type_unsupported' });
  expect(await more.getAttribute('href')).toBe('/docs/rejection-reasons#content_type_unsupported');
  expect(await findingsInLightAndDark(page, 'rejected request')).toEqual([]);
});

test('the corrected lines are shown in the language that was chosen, which is remembered', async () => {
  await drawer().getByText("--header 'Content-Type: application/json'").waitFor();
  await drawer().getByRole('radiogroup', { name: 'Language' }).getByText('Python').click();
  await drawer().getByText('"Content-Type": "application/json"').waitFor();
  expect(await drawer().getByText('urllib.request').count()).toBe(0);
  await page.reload();
  await drawer().getByRole('region', { name: 'Python lines' }).waitFor();
  await drawer().getByRole('button', { name: 'Show the whole program' }).click();
  await drawer().getByText('import urllib.request').waitFor();
});

test('the request is shown with its headers but no credentials, and its body as text', async () => {
  await tab('Request');
  const headers = drawer().getByRole('region', { name: 'headers', exact: true });
  await headers.getByText('POST /api/v1/ingest').waitFor();
  const text = await headers.innerText();
  expect(text).toContain('Content-Type: text/plain');
  expect(text).toContain('Cookie: [not recorded]');
  expect(text).toContain('Authorization: Bearer ingt_srv_…');
  await drawer()
    .getByRole('heading', { name: /^Body, \d+ B$/ })
    .waitFor();
  await drawer().getByRole('region', { name: 'body', exact: true }).getByText(attack).waitFor();
  expect(await page.evaluate('window.attacked')).toBeUndefined();
  expect(await findingsInLightAndDark(page, 'rejected request sent')).toEqual([]);
});

test('next and previous keep the tab, and the back button leads to the list', async () => {
  await page.goto(at());
  await opener(unsigned).click();
  await drawer().getByRole('tabpanel').waitFor();
  await tab('Response');
  await drawer().getByRole('button', { name: 'Next request' }).click();
  await expect.poll(shownId).toBe(typed.id);
  await drawer().getByText(`X-Request-Id: ${typed.request_id}`).waitFor();
  await drawer().getByText('HTTP/1.1 200 OK').waitFor();
  await drawer().getByText('{"status":"rejected"}').waitFor();
  await page.keyboard.press('j');
  await expect.poll(shownId).toBe(inactive.id);
  await drawer().getByRole('button', { name: 'Previous request' }).click();
  await expect.poll(shownId).toBe(typed.id);
  await page.goBack();
  await closed();
});

test('a dry run says what would happen now, before and after the cause is fixed, and stores nothing', async () => {
  await setActive(false);
  await open(`?request=${inactive.id}`);
  await drawer().getByText('The form “Contact” was inactive when the request arrived.').waitFor();
  const button = drawer().getByRole('button', { name: 'Try again as a dry run' });
  await button.click();
  await drawer().getByText('It would be rejected now: The form is inactive.').waitFor();
  await setActive(true);
  await button.click();
  await drawer()
    .getByText(/^It would be accepted now, with a score of \d+ and the verdict clean\.$/)
    .waitFor();
  expect(await findingsInLightAndDark(page, 'dry run')).toEqual([]);
  const leads = await world.service.api('GET', `/workspaces/${sender.workspaceId}/leads`);
  expect(leads.json.items).toEqual([]);
  await drawer().getByRole('link', { name: 'Admit…' }).click();
  await page.getByRole('dialog', { name: 'Held request' }).getByRole('button', { name: 'Admit…' }).waitFor();
});

test('a signature leads to the debugger, and has no dry run', async () => {
  await open(`?request=${unsigned.id}`);
  await drawer()
    .getByText(/did not match the timestamp and body with the secret of the form “Contact”/)
    .waitFor();
  expect(await drawer().getByRole('button', { name: 'Try again as a dry run' }).count()).toBe(0);
  await tab('Request');
  await drawer()
    .getByText(/^Only the headers of the check were recorded/)
    .waitFor();
  await tab('Why');
  await drawer().getByRole('link', { name: 'Open in signature debugger' }).click();
  await page.getByRole('heading', { level: 1, name: 'Signature debugger' }).waitFor();
});

test('on a phone everything fits, and an unknown request says that there is none', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(`?request=${typed.id}`);
  for (const name of ['Why', 'Request', 'Response']) {
    await tab(name);
    await drawer().getByRole('tabpanel').waitFor();
    await expect.poll(() => overflow(page)).toBe(0);
    await expect.poll(() => actionsOutside(page)).toEqual([]);
  }
  await page.goto(at('?request=0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10'));
  await drawer().getByText('There is no such rejected request.').waitFor();
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('a discarded request says that its content is gone, and members see no request at all', async () => {
  await page.goto(at(`?request=${typed.id}`));
  await tab('Request');
  await drawer().getByRole('region', { name: 'body', exact: true }).waitFor();
  await owner.api('POST', `/workspaces/${sender.workspaceId}/held/${typed.id}/discard`);
  await drawer().getByText('Its content was deleted here when it was discarded.').waitFor();
  const theirs = await world.open(at(`?request=${typed.id}`), { person: member });
  await theirs.getByText('Owners only').first().waitFor();
  expect(await theirs.getByRole('dialog').count()).toBe(0);
  await theirs.context().close();
});

test('every sample has the lines of every reason that senders can fix', () => {
  const read = (name: string) =>
    readFileSync(pathOf(import.meta.dirname, '../../../clients/samples', name), 'utf8');
  const ofSignatures = /^(?:signature|timestamp)_/;
  for (const { code } of rejectionReasons) {
    const topic = topicOf(code);
    if (topic === undefined) continue;
    for (const { ending } of sampleLanguages) {
      const files = ofSignatures.test(code)
        ? ['signed']
        : code.startsWith('token_')
          ? ['token']
          : ['signed', 'token'];
      for (const file of files) {
        const sample = read(`${file}.${ending}`);
        const lines = correctedLines(sample, topic).split('\n');
        expect(lines.join('').trim(), `${code} ${file}.${ending}`).not.toBe('');
        expect(lines.length).toBeLessThan(sample.split('\n').length / 2);
      }
    }
  }
});
