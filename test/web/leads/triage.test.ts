import type { Locator, Page, Request } from 'playwright-core';
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

const leadCount = 230;
const stray = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x_${i}`, `stray ${i}`]));
/** 0.6 × 60 + 0.4 × 45, less a seventh of it: 46.3. */
const reasons = [
  { code: 'EMAIL_DISPOSABLE_PROBABLE', points: 20, field: 'email', evidence: 'engines.example' },
  { code: 'FIT_BUSINESS_DOMAIN', points: 35 },
  { code: 'FIT_COMPANY', points: 15 },
  { code: 'FIT_FULL_NAME', points: 10 },
  { code: 'INTENT_WORDS', points: 35 },
  { code: 'INTENT_QUESTION', points: 10 },
];
let world: BrowserWorld;
let seed: Seed;
let person: Person;
let workspaceId: string;
let base: string;
let formId: string;
let page: Page;
let newest = Date.now() - 60_000;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}/leads`;
  formId = (await createForm(world.service, workspaceId, { name: 'Contact' })).id;
  const id = await newLead({ name: 'Ada 0', email: 'ada0@engines.io', message: 'Hello' });
  await seed.query(
    `insert into leads
     select shard, workspace_id, gen_random_uuid(), form_id, token_id, surface, received_at - n * interval '1 minute', body,
       jsonb_build_object('message', 'Hello', 'email', 'ada' || n || '@engines.io', 'name', 'Ada ' || n),
       score, risk, grade, verdict, reasons, ruleset
     from leads, generate_series(1, $2::int) as n where submission_id = $1`,
    [id, leadCount - 1],
  );
  person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(base, { person });
  await row('Ada 0').waitFor();
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

/** The newest lead so far. */
function newLead(fields: object, values: object = {}): Promise<string> {
  newest += 1_000;
  const received_at = new Date(newest).toISOString();
  const scored = { score: 46, risk: 20, grade: 'C', ruleset: '2026.11.5', reasons: JSON.stringify(reasons) };
  return seed.lead(workspaceId, { form_id: formId, received_at, fields, ...scored, ...values });
}

const exactly = (name: string) => new RegExp(`^${name}$`);
const row = (name: string, shown = page): Locator =>
  shown.getByRole('row').filter({ has: shown.getByText(exactly(name)) });
const drawer = (shown = page) => shown.getByRole('dialog');
const openName = (name: string, shown = page) => drawer(shown).getByText(exactly(name)).first().waitFor();
const isClosed = (shown = page) => drawer(shown).waitFor({ state: 'detached' });
const scroller = "document.querySelector('[role=table]')";
const scrollTop = () => page.evaluate<number>(`${scroller}.scrollTop`);
const scrollTo = (top: number) => page.evaluate(`${scroller}.scrollTo(0, ${top})`);
const steps = () => page.evaluate<number>('history.state.__TSR_index');
/** As if the person had come back to the tab; with a connection the service says so by itself. */
const lookAgain = () => page.evaluate("void window.dispatchEvent(new Event('visibilitychange'))");

/** The requests to the API while something happens; without questions about what is new, which the stream may add at any time. */
async function requestsDuring(act: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const note = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url());
    const isNews = pathname.endsWith('/leads') && searchParams.has('from');
    if (pathname.startsWith(`/api/v1/workspaces/${workspaceId}/`) && !isNews)
      seen.push(`${request.method()} ${pathname.slice(`/api/v1/workspaces/${workspaceId}/`.length)}`);
  };
  page.on('request', note);
  await act();
  page.off('request', note);
  return seen;
}

test('the Score tab says what the score is made of, what is missing, and who marked the lead', async () => {
  await row('Ada 0').click();
  await drawer().getByRole('tab', { name: 'Score' }).click();
  await drawer().getByText('36 + 18 − 7.7 = 46.3, rounded to 46').waitFor();
  const part = (name: string) => drawer().getByRole('region', { name });
  expect(await part('Fit 60 of 100').innerText()).toMatch(
    /\+36 to the score[\s\S]*\+35\s+Company email domain/,
  );
  expect(await part('Intent 45 of 100').innerText()).toMatch(/\+18 to the score[\s\S]*\+35\s+Asks for/);
  expect(await part('Risk 20 of 100').innerText()).toMatch(
    /−7.7 from the score[\s\S]*\+20\s+Unusual email domain/,
  );
  const missing = await part('Why not higher').getByRole('listitem').allInnerTexts();
  expect(
    missing
      .map((text) =>
        text
          .split(/\s*\n\s*/)
          .slice(0, 2)
          .join(' '),
      )
      .slice(0, 3),
  ).toEqual(['+11 No message of a useful length', '+11 No top management title', '+8 Risk of 20']);
  await part('Marks').getByText('Nobody has marked this lead').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await isClosed();
});

test('J, K and Enter work without a click, J in a lead adds no history, and the focus returns to the row', async () => {
  await page.goto(base);
  await row('Ada 0').waitFor();
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
  await focused(row('Ada 1').getByRole('link'));
  const before = await steps();
  await page.keyboard.press('Enter');
  await openName('Ada 1');
  await page.keyboard.press('j');
  await openName('Ada 2');
  await page.keyboard.press('j');
  await openName('Ada 3');
  await page.keyboard.press('k');
  await openName('Ada 2');
  expect(await steps()).toBe(before + 1);
  await page.goBack();
  await isClosed();
  await focused(row('Ada 2').getByRole('link'));
  expect(page.url()).toMatch(/\/leads$/);
  // Escape closes with the same step, so that the list is not in the history twice.
  await page.keyboard.press('Enter');
  await openName('Ada 2');
  for (const _ of [1, 2]) await page.keyboard.press('Escape');
  await isClosed();
  await focused(row('Ada 2').getByRole('link'));
  expect(page.url()).toMatch(/\/leads$/);
});

test('marking a lead is one request however much is loaded; the next lead follows, and it can be undone', async () => {
  // Every page of the list.
  await expect
    .poll(async () => {
      await scrollTo(1_000_000);
      return page.getByText(`${leadCount} in this list`).count();
    })
    .toBe(1);
  await scrollTo(0);
  await row('Ada 1').click();
  await drawer().getByRole('tab', { name: 'History' }).click();
  await drawer().getByText('Scored as clean').waitFor();
  const mark = drawer().getByRole('button', { name: 'Mark as spam' });
  const requests = await requestsDuring(async () => {
    // A double click marks one lead, although the next one is shown by then.
    await mark.dblclick();
    await openName('Ada 2');
    await page.getByText('Marked as spam.').waitFor();
  });
  expect(requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
  expect(requests).not.toContain('GET leads');
  await row('Ada 1').getByText('Spam').waitFor();
  expect(await row('Ada 2').getByText('Clean').count()).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await openName('Ada 1');
  await row('Ada 1').getByText('Clean').waitFor();
  await drawer().getByText('olga@example.com removed the mark').waitFor();
  await drawer().getByRole('tab', { name: 'Score' }).click();
  const marks = drawer().getByRole('list', { name: 'Marks' }).getByRole('listitem');
  await expect
    .poll(async () => (await marks.allInnerTexts()).map((text) => text.split('\n')[0]))
    .toEqual(['olga@example.com removed the mark', 'olga@example.com marked it as spam']);
});

test('after the last lead of the list it stays and says so, and the key U undoes too', async () => {
  await page.goto(`${base}?field.name=Ada+9`);
  await row('Ada 9').click();
  await drawer().getByRole('button', { name: 'Mark as spam' }).click();
  await page.getByText('This is the last lead in the list.').waitFor();
  await openName('Ada 9');
  await drawer().getByRole('button', { name: 'Mark as not spam' }).waitFor();
  await page.keyboard.press('u');
  await drawer().getByRole('button', { name: 'Mark as spam' }).waitFor();
});

test('back at the list nothing is loaded again, and it is where it was', async () => {
  await page.goto(base);
  await row('Ada 0').waitFor();
  await scrollTo(2_000);
  await expect.poll(scrollTop).toBe(2_000);
  await page.getByRole('link', { name: 'Forms', exact: true }).click();
  await page.getByRole('heading', { name: 'Forms' }).waitFor();
  const requests = await requestsDuring(async () => {
    await page.goBack();
    await row('Ada 55').waitFor();
    await expect.poll(scrollTop).toBe(2_000);
  });
  expect(requests).not.toContain('GET leads');
});

test('a scrolled list says how many leads are new; at the top they appear, and the current row keeps its lead', async () => {
  await scrollTo(1_000);
  await newLead({ name: 'New 1', email: 'new@engines.io' });
  await newLead({ ...stray, name: 'New 2', email: 'new@engines.io' });
  await lookAgain();
  const button = page.getByRole('button', { name: '2 new leads' });
  await button.waitFor();
  expect(await scrollTop()).toBe(1_000);
  await page.getByRole('status').filter({ hasText: '2 new leads' }).waitFor({ state: 'attached' });
  await button.click();
  await row('New 2').waitFor();
  expect(await scrollTop()).toBe(0);
  await button.waitFor({ state: 'detached' });
  // Two more that nobody waits for.
  await page.mouse.move(0, 0);
  await newLead({ name: 'New 3', email: 'new@engines.io' });
  await lookAgain();
  await row('New 3').waitFor();
  await page.keyboard.press('j');
  await focused(row('New 3').getByRole('link'));
  await newLead({ name: 'New 4', email: 'new@engines.io' });
  await lookAgain();
  await page.getByRole('button', { name: '1 new lead' }).waitFor();
  // What has changed is drawn again, and the focus stays.
  await focused(row('New 3').getByRole('link'));
  // Upwards from the first row there is more.
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await focused(row('New 4').getByRole('link'));
});

test('an odd lead with dozens of keys does not push name and email aside', async () => {
  await page.goto(base);
  await row('New 2').waitFor();
  const named = page.getByRole('columnheader').filter({ hasText: /\w/ });
  expect(await named.allInnerTexts()).toEqual([
    'Received',
    'Verdict',
    'Score',
    'name',
    'email',
    'message',
    'x_0',
    'x_1',
    'Form',
  ]);
});

test('an erased lead leaves the list without loading it again', async () => {
  await row('New 3').click();
  await drawer().getByRole('button', { name: 'Erase' }).click();
  const requests = await requestsDuring(async () => {
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await row('New 3').waitFor({ state: 'detached' });
  });
  expect(requests).not.toContain('GET leads');
  await isClosed();
});

test('on a phone the list shows names, and a lead its actions; nothing is wider than the screen', async () => {
  const long = 'Ada '.repeat(60).trim();
  const id = await newLead({
    name: 'عدا لوفلايس',
    email: 'ada@engines.io',
    note: `${long} ${'x'.repeat(900)}`,
  });
  await newLead({ name: long, email: `${'a'.repeat(200)}@engines.io` });
  const phone = await world.open(base, { person, width: 390 });
  await row('Ada 0', phone).waitFor();
  const box = await phone.getByText('عدا لوفلايس').boundingBox();
  expect(box).toMatchObject({ x: expect.any(Number) });
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  expect(await overflow(phone)).toBe(0);
  expect(await seriousFindings(phone)).toEqual([]);
  await phone.goto(`${base}/${id}`);
  await openName('عدا لوفلايس', phone);
  await drawer(phone).getByText('xxxx').scrollIntoViewIfNeeded();
  const button = drawer(phone).getByRole('button', { name: 'Mark as spam' });
  const place = await button.boundingBox();
  expect(place?.y).toBeGreaterThan(0);
  expect(place?.y).toBeLessThan(900);
  expect(await overflow(phone)).toBe(0);
  expect(await seriousFindings(phone)).toEqual([]);
});
