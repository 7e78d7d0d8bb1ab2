import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactPage } from './page-server.ts';
import { visit } from './visit.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

let world: SdkWorld;

beforeAll(async () => {
  // The work is not what is tested here.
  world = await startSdkWorld({ protection: 'none' });
});
afterAll(() => world.stop());

const accepted = { submission_id: expect.any(String) };

/** A page with this form, after `initScript` has run in it. */
async function open(path: string, form = '', more = '', initScript = '') {
  const { service, pages, key } = world;
  const script = `<script src="${service.url}/sdk/v1.js" defer></script>`;
  const url = pages.add(path, contactPage(script, `data-leadgate="${key}" ${form}`, more));
  const visitor = await visit('about:blank');
  await visitor.page.addInitScript(initScript);
  await visitor.page.goto(url);
  return visitor;
}

type Visitor = Awaited<ReturnType<typeof open>>;

async function send({ page, told }: Visitor) {
  await page.locator('textarea').first().fill('Hello');
  await page.locator('button').first().click();
  await expect.poll(() => told).toHaveLength(1);
  return told[0]?.detail;
}

async function expectFree({ page, problems }: Visitor) {
  expect(await page.locator('button:disabled, form[aria-busy]').count()).toBe(0);
  expect(problems).toEqual([]);
}

test.each([
  'javascript:window.wasRun=1',
  ' java&#10;script:window.wasRun=1',
  'data:text/html,x',
  'https://:0',
])('data-next="%s" is not opened; the form is reset', async (next) => {
  const visitor = await open('/next', `data-next="${next}"`);
  const url = visitor.page.url();
  expect(await send(visitor)).toEqual(accepted);
  await expect.poll(() => visitor.page.locator('textarea').inputValue()).toBe('');
  await expectFree(visitor);
  expect(await visitor.page.evaluate('window.wasRun')).toBeUndefined();
  expect(visitor.page.url()).toBe(url);
});

test('data-next is relative to the base URL of the page', async () => {
  const { pages } = world;
  pages.add('/base/thanks', '<!doctype html><title>Thanks</title>');
  const visitor = await open('/relative', 'data-next="thanks"', '<base href="/base/">');
  expect(await send(visitor)).toEqual(accepted);
  await visitor.page.waitForURL(`${pages.origin}/base/thanks`);
});

const withoutStorage = `for (const name of ['sessionStorage', 'localStorage'])
  Object.defineProperty(window, name, { value: null })`;
const refusingStorage = `for (const name of ['sessionStorage', 'localStorage'])
  Object.defineProperty(window, name, { get() { throw new Error('no') } })`;

test.each([
  ['null', '', withoutStorage],
  ['not allowed', '', refusingStorage],
  ['misspelled', 'data-storage="locale"', ''],
  ['named by nothing', 'data-storage', ''],
])('where the storage is %s, a lead is sent all the same', async (_, form, initScript) => {
  const visitor = await open('/storage', form, '', initScript);
  expect(await send(visitor)).toEqual(accepted);
  await expectFree(visitor);
});

test.each(['{', 'null', '7', '{}'])('a stored lead that reads %s is replaced', async (stored) => {
  const visitor = await open('/corrupt');
  const fields = { name: 'Ada Lovelace', email: 'ada@analytical.engine', message: 'Hello' };
  const id = `leadgate:${JSON.stringify([world.key, fields])}`;
  await visitor.page.evaluate(`sessionStorage[${JSON.stringify(id)}] = ${JSON.stringify(stored)}`);
  expect(await send(visitor)).toEqual(accepted);
  await expectFree(visitor);
  expect(await visitor.page.evaluate('sessionStorage.length')).toBe(0);
});

test('fields may be called as what the script needs of a form', async () => {
  const more = ['elements', 'dataset', 'reset'].map((name) => `<input name="${name}" value="1">`).join('');
  const visitor = await open('/names', '', more);
  const { page, told } = visitor;
  const disabled = await page.evaluate(
    `document.querySelector('button').click(), document.querySelector('button').disabled`,
  );
  expect(disabled).toBe(true);
  await expect.poll(() => told.map(({ detail }) => detail)).toEqual([accepted]);
  const [lead] = (await world.leads()).filter(({ fields }) => fields.elements);
  expect(lead.fields).toMatchObject({ elements: '1', dataset: '1', reset: '1' });
  await expectFree(visitor);
});

test('what the browser cannot send fails, and the form can be sent again', async () => {
  const visitor = await open('/failing', '', '', `Object.defineProperty(navigator, 'locks', {})`);
  expect(await send(visitor)).toEqual({ reason: 'refused' });
  expect(visitor.told[0]?.target).toBe('FORM');
  await expectFree(visitor);
});

test('fields that are no JSON fail with a reason', async () => {
  const { page, told } = await open('/json');
  const result = await page.evaluate(`leadgate({ key: '${world.key}' }).submit({ count: 1n })`);
  expect(result).toEqual({ reason: 'refused' });
  expect(told).toEqual([{ event: 'leadgate:failed', detail: result }]);
});

test('of two forms with the same fields the second hears the result, and neither stays busy', async () => {
  const { key } = world;
  const fields = '<input name="name" value="Ada Lovelace"><input name="email" value="ada@analytical.engine">';
  const second = `<button>Send</button></form><form data-leadgate="${key}" id="second">${fields}<textarea name="message"></textarea>`;
  const visitor = await open('/twice', '', second);
  const { page, told, posted } = visitor;
  await page.evaluate(`for (const form of document.forms) form.requestSubmit()`);
  await expect.poll(() => told).toHaveLength(1);
  await expectFree(visitor);
  expect(posted.filter((path) => path.endsWith('/submissions'))).toHaveLength(1);
});
