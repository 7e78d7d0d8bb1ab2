import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import {
  type BrowserWorld,
  focused,
  seriousFindings,
  startBrowserWorld,
} from '../../support/browser/chromium.ts';
import { revisit } from '../../support/browser/looks.ts';
import { HurriedClock } from '../../support/clocks.ts';
import { eventually } from '../../support/diagnostics.ts';

const clock = new HurriedClock();
const dayMs = 86_400_000;
const waitMsMax = 60_000;
let world: BrowserWorld;
let seed: Seed;
let person: Person;
let colleague: Person;
let base: string;
let workspaceId: string;
let formId: string;
let leadId: string;
let page: Page;
/** Another browser; each test says whose. */
let elsewhere: Page;

beforeAll(async () => {
  world = await startBrowserWorld({ clock });
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}/leads`;
  const fields = [
    { key: 'name', label: 'Name' },
    { key: 'email', label: 'Email' },
  ];
  formId = (await createForm(world.service, workspaceId, { name: 'Contact', fields })).id;
  leadId = await leadOf(formId, 0, { name: 'Ada Lovelace', email: 'ada@example.com', plan: 'pro' });
  person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  colleague = await join(world.service, workspaceId, 'pete@example.com', 'member');
  page = await world.open(base, { person });
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

function leadOf(form_id: string, daysAgo: number, fields: object): Promise<string> {
  const received_at = new Date(Date.now() - daysAgo * dayMs).toISOString();
  return seed.lead(workspaceId, { form_id, received_at, fields });
}

const named = (shown: Page) => shown.getByRole('columnheader').filter({ hasText: /\w/ });
const headings = (shown: Page) => expect.poll(() => named(shown).allInnerTexts());
const edge = (name: string, shown = page) => shown.getByRole('separator', { name: `Width of ${name}` });
const width = (name: string, shown = page) =>
  expect.poll(() => edge(name, shown).getAttribute('aria-valuenow'));

/** Waits until the service has stored a width for a column, and returns the stored order of the columns. */
async function storedOrder(id: string, width: number): Promise<string[]> {
  const read = async (): Promise<{ columns: Column[] } | null> =>
    (await person.api('GET', `/workspaces/${workspaceId}/lead-table`)).json.view;
  const isStored = (view: { columns: Column[] } | null) =>
    view?.columns.some((column) => column.id === id && column.width === width) === true;
  const view = await eventually(read, isStored, waitMsMax);
  return view?.columns.map((column) => column.id) ?? [];
}

interface Column {
  readonly id: string;
  readonly width?: number;
}

test('columns are chosen and ordered with the keyboard alone', async () => {
  await headings(page).toEqual(['Received', 'Verdict', 'Score', 'Name', 'Email', 'Form']);
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  await focused(page.getByRole('button', { name: 'Reset' }));
  await page.getByRole('checkbox', { name: 'Form' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'plan' }).focus();
  await page.keyboard.press('Space');
  const left = page.getByRole('button', { name: 'Move Email left' });
  await left.focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('Enter');
  await focused(left);
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await headings(page).toEqual(['Received', 'Email', 'Verdict', 'Score', 'Name', 'plan']);
});

test('a column gets wider and narrower with the arrow keys, within bounds', async () => {
  await edge('Verdict').focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await width('Verdict').toBe('148');
  await edge('Score').focus();
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowLeft');
  await width('Score').toBe('60');
});

test('a column is resized by dragging its edge, and moved by dragging its heading', async () => {
  const box = await edge('Name').boundingBox();
  if (box === null) throw new Error('The edge is not visible.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await width('Name').toBe('240');
  const verdict = page.getByRole('columnheader').filter({ hasText: 'Verdict' });
  await page.getByText('plan', { exact: true }).dragTo(verdict, { steps: 4 });
  await headings(page).toEqual(['Received', 'Email', 'plan', 'Verdict', 'Score', 'Name']);
});

test('the arrangement belongs to the person: another browser has it, a colleague does not', async () => {
  // The last change, so that nothing is in flight any more.
  await edge('Email').focus();
  await page.keyboard.press('ArrowRight');
  expect(await storedOrder('field.email', 196)).toEqual([
    'received',
    'field.email',
    'field.plan',
    'verdict',
    'score',
    'field.name',
    'form',
  ]);
  elsewhere = await world.open(base, { person });
  await elsewhere.getByRole('columnheader', { name: 'plan' }).waitFor();
  await headings(elsewhere).toEqual(['Received', 'Email', 'plan', 'Verdict', 'Score', 'Name']);
  await width('Name', elsewhere).toBe('240');
  await revisit(elsewhere, base, colleague);
  await elsewhere.getByRole('cell', { name: 'ada@example.com' }).waitFor();
  await headings(elsewhere).toEqual(['Received', 'Verdict', 'Score', 'Name', 'Email', 'Form']);
});

test('a reset brings back the default arrangement', async () => {
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.keyboard.press('Escape');
  await edge('Score').focus();
  await page.keyboard.press('ArrowRight');
  await storedOrder('score', 100);
  await page.reload();
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
  await headings(page).toEqual(['Received', 'Verdict', 'Score', 'Name', 'Email', 'Form']);
});

test('a change made before the arrangement has loaded is not undone by it', async () => {
  const [read, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holdBack = async (route: Route) => {
    const response = await route.fetch();
    read.resolve();
    await release.promise;
    await route.fulfill({ response });
  };
  await elsewhere.route('**/lead-table*', holdBack, { times: 1 });
  await revisit(elsewhere, base, colleague);
  await read.promise;
  await edge('Score', elsewhere).focus();
  await elsewhere.keyboard.press('ArrowRight');
  await width('Score', elsewhere).toBe('100');
  const answer = elsewhere.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().includes('/lead-table'),
  );
  release.resolve();
  await (await answer).finished();
  // By the time this request is answered, the page has used that response.
  await elsewhere.evaluate("fetch('/api/v1/me').then((late) => late.text())");
  await elsewhere.keyboard.press('ArrowRight');
  await width('Score', elsewhere).toBe('116');
});

test('the history of a lead shows its arrival and score, and each mark as soon as it is made', async () => {
  await page.goto(`${base}/${leadId}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: 'History' }).click();
  const events = drawer.getByRole('list', { name: 'History' }).getByRole('listitem');
  await events.filter({ hasText: 'Scored as clean: score 40 (grade B), risk 0' }).waitFor();
  await drawer.getByRole('button', { name: 'Mark as spam' }).click();
  await events.filter({ hasText: 'olga@example.com marked it as spam' }).waitFor();
  await drawer.getByRole('button', { name: 'Remove mark' }).click();
  await events.filter({ hasText: 'olga@example.com removed the mark' }).waitFor();
  const told = (await events.allInnerTexts()).map((text) => text.split('\n')[0]);
  // A lead whose mark is removed is clean again, and may have been enriched by now.
  expect(told.filter((title) => title !== 'Enriched')).toEqual([
    'olga@example.com removed the mark',
    'olga@example.com marked it as spam',
    'Scored as clean: score 40 (grade B), risk 0',
    'Received with a token',
  ]);
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('the history and the audit log tell looking at the exact bytes from downloading them', async () => {
  await page.goto(`${base}/${leadId}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: 'Exact bytes' }).click();
  const download = drawer.getByRole('link', { name: 'Download' });
  await download.waitFor();
  const recorded = async () =>
    (await world.service.api('GET', `/workspaces/${workspaceId}/audit`)).json.items
      .map(({ text }: { text: string }) => text)
      .filter((text: string) => text.includes('the body of'));
  expect(await recorded()).toEqual([expect.stringMatching(/^olga viewed the body of lead /)]);
  await Promise.all([page.waitForEvent('download'), download.click()]);
  await expect
    .poll(recorded)
    .toEqual([
      expect.stringMatching(/^olga downloaded the body of lead /),
      expect.stringMatching(/^olga viewed the body of lead /),
    ]);
  await drawer.getByRole('tab', { name: 'History' }).click();
  const events = drawer.getByRole('list', { name: 'History' }).getByRole('listitem');
  await events.filter({ hasText: 'olga@example.com viewed the exact bytes' }).waitFor();
  await events.filter({ hasText: 'olga@example.com downloaded the exact bytes' }).waitFor();
  await page.keyboard.press('Escape');
});

test('a long search says how far it has got, continues by itself, and then waits for a click', async () => {
  const oldForm = await createForm(world.service, workspaceId, { name: 'Old' });
  await leadOf(oldForm.id, 130, { name: 'Charles Babbage' });
  let calls = 0;
  page.on('request', (request) => {
    // Only those that continue the search: the list also asks for new leads.
    if (/\/api\/v1\/.*\/leads\?.*cursor=/.test(request.url())) calls++;
  });
  clock.isHurried = true;
  await page.goto(`${base}?form_id=${oldForm.id}`);
  // Eighty days in twenty calls, the first without a cursor: then it waits, because nobody may need the result any more.
  const further = page.getByRole('button', { name: 'Search further back' });
  await further.waitFor({ timeout: 2 * waitMsMax });
  await page.getByText('No matches so far').waitFor();
  await page.getByText(/Searched back to .* Older leads may match too/).waitFor();
  expect(calls).toBe(19);
  await further.click();
  await page.getByRole('cell', { name: 'Charles Babbage', exact: true }).waitFor();
  clock.isHurried = false;
});
