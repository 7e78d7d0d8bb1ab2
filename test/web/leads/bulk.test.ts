import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../../support/browser/chromium.ts';
import { overflow } from '../../support/browser/looks.ts';
import { eventually } from '../../support/diagnostics.ts';

const leadCount = 1_300;
let world: BrowserWorld;
let seed: Seed;
let owner: Person;
let member: Person;
let workspaceId: string;
let base: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}/leads`;
  const form_id = (await createForm(world.service, workspaceId, { name: 'Contact' })).id;
  const received_at = new Date(Date.now() - 60_000).toISOString();
  const id = await seed.lead(workspaceId, { form_id, received_at, fields: { name: 'Ada 0' } });
  await seed.query(
    `insert into leads
     select shard, workspace_id, gen_random_uuid(), form_id, token_id, surface, received_at - n * interval '1 minute', body,
       jsonb_build_object('name', 'Ada ' || n), score, risk, grade, verdict, reasons, ruleset
     from leads, generate_series(1, $2::int) as n where submission_id = $1`,
    [id, leadCount - 1],
  );
  owner = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, workspaceId, 'max@example.com', 'member');
  page = await world.open(base, { person: owner });
  await row('Ada 0').waitFor();
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const row = (name: string, shown = page): Locator =>
  shown.getByRole('row').filter({ has: shown.getByText(new RegExp(`^${name}$`)) });
const box = (name: string, shown = page) =>
  shown.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const bar = (shown = page) => shown.getByRole('group', { name: 'Selection' });
const progress = (shown = page) => shown.getByRole('group', { name: 'Progress', exact: true });
const isSelected = (text: string, shown = page) => bar(shown).getByText(text, { exact: true }).waitFor();
const isClear = (shown = page) => bar(shown).waitFor({ state: 'detached' });
const count = async (where: string) => {
  const found = await seed.query(
    `select count(*)::int as count from leads where workspace_id = $1 and ${where}`,
    [workspaceId],
  );
  return found[0]?.count;
};
const button = (name: string, shown = page) => bar(shown).getByRole('button', { name, exact: true });

test('rows are selected by boxes, ranges and keys, and nothing opens or moves', async () => {
  const target = await box('Ada 1').locator('..').locator('..').boundingBox();
  expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(24);
  const before = await row('Ada 1').boundingBox();
  await box('Ada 1').click();
  await isSelected('1 lead selected');
  expect(await row('Ada 1').boundingBox()).toEqual(before);
  await box('Ada 4').click({ modifiers: ['Shift'] });
  await isSelected('4 leads selected');
  await page.keyboard.press('Escape');
  await isClear();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await isSelected('1 lead selected');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await isSelected('3 leads selected');
  await page.keyboard.press('x');
  await isSelected('2 leads selected');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await button('Clear selection').click();
  await isClear();
});

test('a selection survives paging and new leads, and leads that vanish leave it', async () => {
  await box('Ada 2').click();
  await box('Ada 3').click();
  await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 1e6)");
  await page.getByText(/^200 /).first().waitFor();
  const vanished = await seed.query(
    `select submission_id as id from leads where workspace_id = $1 and coalesce(fields, convert_from(body, 'UTF8')::jsonb) ->> 'name' = 'Ada 3'`,
    [workspaceId],
  );
  await isSelected('2 leads selected');
  await world.service.api('DELETE', `/workspaces/${workspaceId}/leads/${vanished[0]?.id}`);
  await isSelected('1 lead selected');
  await page.keyboard.press('Escape');
  await isClear();
  await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 0)");
});

test('selected leads are marked, with the progress for everyone, and the toast takes it back', async () => {
  const other = await world.open(base, { person: member });
  await box('Ada 1').click();
  await box('Ada 2').click();
  await button('Mark as spam').click();
  await isClear();
  await progress().getByText('2 leads marked as spam.').waitFor();
  await row('Ada 1').getByText('Spam').waitFor();
  await progress(other).getByText('2 leads marked as spam.').waitFor();
  await row('Ada 1', other).getByText('Spam').waitFor();
  await page.reload();
  await progress().getByText('2 leads marked as spam.').waitFor();
  expect(await count("verdict = 'spam'")).toBe(2);
  await box('Ada 6').click();
  await button('Mark as not spam').click();
  await page.getByRole('button', { name: 'Undo (U)' }).click();
  await progress().getByText('The marks of 1 lead were undone.').waitFor();
  expect(await count('scored_verdict is not null')).toBe(2);
  await other.close();
});

test('everything that matches is selected by the filter, marked after a question, and undone in the progress', async () => {
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await bar().getByRole('button', { name: 'Select all 1,299 that match' }).click();
  await isSelected('1,299 leads selected');
  await button('Mark as spam').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark 1,299 leads as spam' }).click();
  await progress().getByText('1,297 leads marked as spam.').waitFor();
  expect(await count("verdict = 'spam'")).toBe(1_299);
  await progress().getByRole('button', { name: 'Undo', exact: true }).click();
  await progress().getByText('The marks of 1,297 leads were undone.').waitFor();
  expect(await count("verdict = 'spam'")).toBe(2);
  await progress().getByRole('button', { name: 'Hide progress' }).click();
  await progress().waitFor({ state: 'detached' });
});

test('everything that matches can be selected in a list with another order', async () => {
  const sorted = await world.open(`${base}?sort=field.name&order=asc`, { person: owner });
  await row('Ada 0', sorted).waitFor();
  await sorted.getByRole('checkbox', { name: 'Select all shown' }).click();
  await bar(sorted).getByRole('button', { name: 'Select all 1,299 that match' }).click();
  await isSelected('1,299 leads selected', sorted);
  await sorted.close();
});

test('selected leads are exported, and nobody else', async () => {
  await box('Ada 1').click();
  await box('Ada 4').click();
  await button('Export').click();
  await page.getByText('Export 2 leads').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /NDJSON/ }).click();
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).fields.name)).toEqual(['Ada 1', 'Ada 4']);
  await page.keyboard.press('Escape');
});

test('erasing asks for the number, says that nothing brings them back, and the leads disappear', async () => {
  await page.reload();
  await box('Ada 1').click();
  await box('Ada 2').click();
  await button('Erase…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This cannot be undone').waitFor();
  const erase = dialog.getByRole('button', { name: 'Erase 2 leads permanently' });
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('2');
  await erase.click();
  await progress().getByText('2 leads erased.').waitFor();
  await row('Ada 1').waitFor({ state: 'detached' });
  expect(await progress().getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(
    await eventually(
      () => count('true'),
      (left) => left === leadCount - 3,
    ),
  ).toBe(leadCount - 3);
});

test('a member on a phone can mark but not erase, and nothing is wider than the screen', async () => {
  const phone = await world.open(base, { person: member, width: 390 });
  await box('Ada 4', phone).click();
  await isSelected('1 lead selected', phone);
  expect(await button('Mark as spam', phone).isVisible()).toBe(true);
  expect(await button('Erase…', phone).count()).toBe(0);
  expect(await overflow(phone)).toBe(0);
  expect(await seriousFindings(phone)).toEqual([]);
  await phone.close();
});
