import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import {
  type BrowserWorld,
  focused,
  seriousFindings,
  startBrowserWorld,
} from '../../support/browser/chromium.ts';
import { overflow } from '../../support/browser/looks.ts';
import { rowsOf } from '../../support/workbook.ts';

const minuteMs = 60_000;
let world: BrowserWorld;
let seed: Seed;
let person: Person;
let workspaceId: string;
let formId: string;
let base: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}/leads`;
  const fields = [{ key: 'name', label: 'Name' }, { key: 'company', label: 'Company' }, { key: 'seats' }];
  formId = (await createForm(world.service, workspaceId, { name: 'Contact', fields })).id;
  await lead(1, { name: 'Ada', company: 'Engines', seats: 5 }, { score: 90, grade: 'A' });
  await lead(2, { name: 'Bob', company: 'Looms', seats: 40 }, { score: 60, grade: 'B' });
  await lead(3, { name: 'Cleo', seats: 7 }, { score: 10, grade: 'D', verdict: 'suspect' });
  person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(base, { person });
  await page.locator('[data-lead]').nth(2).waitFor();
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

function lead(minutesAgo: number, fields: object, values: object = {}): Promise<string> {
  const received_at = new Date(Date.now() - minutesAgo * minuteMs).toISOString();
  return seed.lead(workspaceId, { form_id: formId, received_at, fields, ...values });
}

/** The names in the rows, from top to bottom. */
const names = (shown: Page) => expect.poll(() => shown.evaluate<string[]>(namesScript));
const namesScript = `[...document.querySelectorAll('[data-lead]')]
  .toSorted((a, b) => a.ariaRowIndex - b.ariaRowIndex)
  .map((row) => /Ada|Bob|Cleo|Dan|Eve/.exec(row.textContent)[0])`;
const where = () => JSON.parse(new URL(page.url()).searchParams.get('where') ?? '{}').all;
const chip = (text: string) => page.getByRole('button', { name: `Edit filter: ${text}` });
const field = (name: string) => page.getByRole('combobox', { name, exact: true });
const heading = (name: string) => page.getByRole('columnheader', { name });

/** A click on a list that is open already would close it. */
async function choose(input: string, option: string): Promise<void> {
  const wanted = page.getByRole('option', { name: option, exact: true });
  const open = async () => {
    if ((await field(input).getAttribute('data-expanded')) === null) await field(input).click();
    return wanted.isVisible();
  };
  await expect.poll(open).toBe(true);
  await wanted.click();
}

test('a filter is added with the keyboard alone, and is a chip and part of the URL', async () => {
  await page.locator('body').press('f');
  await focused(field('Field'));
  await page.keyboard.type('Score');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value' }).focus();
  await page.keyboard.type('high');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Enter a number.' }).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('50');
  await page.keyboard.press('Enter');
  await names(page).toEqual(['Ada', 'Bob']);
  expect(where()).toEqual([{ field: 'score', op: 'gte', value: 50 }]);
  await page.getByRole('button', { name: 'Add filter 1 active' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test('a chip is edited with the keyboard, and its URL shows the same list elsewhere', async () => {
  await chip('Score ≥ 50').focus();
  await page.keyboard.press('Enter');
  await choose('Operator', 'is between');
  await page.getByRole('textbox', { name: 'At least' }).fill('5');
  await page.getByRole('textbox', { name: 'At most' }).fill('60');
  await page.keyboard.press('Enter');
  await names(page).toEqual(['Bob', 'Cleo']);
  await chip('Score 5–60').waitFor();
  const elsewhere = await world.open(new URL(page.url()).pathname + new URL(page.url()).search, { person });
  await names(elsewhere).toEqual(['Bob', 'Cleo']);
  await elsewhere.close();
});

test('fields are filtered by text, by number and by being empty; grades by several', async () => {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await choose('Field', 'Company');
  await choose('Operator', 'is empty');
  await page.getByRole('button', { name: 'Apply' }).click();
  await names(page).toEqual(['Cleo']);
  await chip('Company is empty').click();
  await choose('Operator', 'starts with');
  await page.getByRole('textbox', { name: 'Value' }).fill('LOO');
  await page.getByRole('button', { name: 'Apply' }).click();
  await names(page).toEqual(['Bob']);
  await chip('Company starts with LOO').focus();
  await page.keyboard.press('Delete');
  await names(page).toEqual(['Bob', 'Cleo']);
  await focused(page.getByRole('button', { name: 'Add filter' }));
  await page.getByRole('button', { name: 'Remove filter: Score 5–60' }).press('Enter');
  await names(page).toEqual(['Ada', 'Bob', 'Cleo']);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await choose('Field', 'Grade');
  for (const grade of ['A', 'D']) await page.getByRole('checkbox', { name: grade, exact: true }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await chip('Grade is A or D').waitFor();
  await names(page).toEqual(['Ada', 'Cleo']);
});

test('verdict, mark and time are filters too; a single one has its usual place in the URL', async () => {
  await page.goto(`${base}?verdict=suspect&mark=none&range=24h&field.name=Cleo`);
  for (const text of ['Verdict is suspect', 'Not marked', 'Received in the last 24 hours', 'Name is Cleo'])
    await chip(text).waitFor();
  await names(page).toEqual(['Cleo']);
  await chip('Verdict is suspect').click();
  await page.getByRole('checkbox', { name: 'clean' }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await chip('Verdict is suspect or clean').waitFor();
  expect(where()).toContainEqual({ field: 'verdict', op: 'in', value: ['suspect', 'clean'] });
  expect(new URL(page.url()).searchParams.get('verdict')).toBeNull();
});

test('a list that the filters empty names them and offers to clear them', async () => {
  const conditions = JSON.stringify({ all: [{ field: 'field.company', op: 'contains', value: 'zzz' }] });
  await page.goto(`${base}?q=nobody&where=${encodeURIComponent(conditions)}`);
  await page.getByText('No lead has all of these: text “nobody” · Company contains zzz.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await names(page).toEqual(['Ada', 'Bob', 'Cleo']);
});

test('a URL with conditions that cannot be read says so, and the chip can be removed', async () => {
  await page.goto(`${base}?where=nonsense`);
  await page.getByText('must be JSON such as').waitFor();
  await page.getByRole('button', { name: 'Remove filter: Conditions that cannot be read' }).click();
  await names(page).toEqual(['Ada', 'Bob', 'Cleo']);
});

test('a heading sorts by its column, and the other way round when it is pressed again', async () => {
  await page.goto(base);
  await names(page).toEqual(['Ada', 'Bob', 'Cleo']);
  expect(await heading('Received').getAttribute('aria-sort')).toBe('descending');
  await heading('Score').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await names(page).toEqual(['Cleo', 'Bob', 'Ada']);
  expect(await heading('Score').getAttribute('aria-sort')).toBe('ascending');
  expect(await heading('Received').getAttribute('aria-sort')).toBeNull();
  expect(new URL(page.url()).search).toBe('?sort=score&order=asc');
  await heading('seats').getByRole('button').click();
  await names(page).toEqual(['Ada', 'Cleo', 'Bob']);
  await heading('seats').getByRole('button').click();
  await names(page).toEqual(['Bob', 'Cleo', 'Ada']);
  expect(await seriousFindings(page)).toEqual([]);
});

test('an export has the filters, the order and the columns of the table', async () => {
  await page.goto(`${base}?verdict=clean&sort=score&order=asc`);
  await names(page).toEqual(['Bob', 'Ada']);
  await page.locator('body').press('e');
  const item = page.getByRole('menuitem', { name: 'CSV of these columns' });
  const { text } = await person.api('GET', (await item.getAttribute('href'))?.replace('/api/v1', '') ?? '');
  const lines = text.trim().split(/\r?\n/);
  expect(lines[0]?.replaceAll('"', '')).toBe('received_at,verdict,score,name,company,seats,form_name');
  expect(lines.slice(1).map((line) => /Ada|Bob|Cleo/.exec(line)?.[0])).toEqual(['Bob', 'Ada']);
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem').first().click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^leads-.*\.xlsx$/);
  const rows = rowsOf(readFileSync(await download.path()));
  expect(rows.map((row) => row[3])).toEqual(['name', 'Bob', 'Ada']);
});

test('in another order a new lead waits behind a button, and no row moves until it is pressed', async () => {
  await page.goto(`${base}?sort=score`);
  await names(page).toEqual(['Ada', 'Bob', 'Cleo']);
  const news = page.getByRole('button', { name: '1 new lead' });
  await lead(0, { name: 'Dan' }, { score: 75 });
  await news.waitFor();
  await names(page).toEqual(['Ada', 'Bob', 'Cleo']);
  await news.click();
  await names(page).toEqual(['Ada', 'Dan', 'Bob', 'Cleo']);
  await lead(0, { name: 'Eve' }, { score: 1 });
  await news.waitFor();
});

test('space peeks at a lead and closes it again; the row has the focus before and after', async () => {
  await page.goto(base);
  await page.locator('[data-lead]').first().waitFor();
  await page.locator('body').press('j');
  await page.keyboard.press('j');
  const current = page.locator('[data-lead][data-current] a');
  await focused(current);
  await page.keyboard.press(' ');
  await page.getByRole('dialog').getByRole('tab', { name: 'Fields' }).waitFor();
  await page.keyboard.press(' ');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await focused(current);
});

test('on a phone filters and order are there too, and nothing leaves the screen', async () => {
  const phone = await world.open(`${base}?verdict=clean&sort=score`, { person, width: 390, scheme: 'dark' });
  await phone.getByRole('button', { name: 'Edit filter: Verdict is clean' }).waitFor();
  await phone.getByRole('button', { name: 'Sort: Score, descending' }).click();
  await phone.getByRole('menuitem', { name: 'Sort ascending' }).click();
  await phone.waitForURL('**order=asc*');
  expect(await overflow(phone)).toBe(0);
  expect(await seriousFindings(phone)).toEqual([]);
  await phone.close();
});
