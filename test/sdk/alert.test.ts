import { afterAll, beforeAll, expect, test } from 'vitest';
import { dummyKeys } from '../../src/domain/browser/dummy-keys.ts';
import { contactPage, strictPolicy } from './page-server.ts';
import { type Visit, visit } from './visit.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

let world: SdkWorld;

beforeAll(async () => {
  // The work is not what is tested here.
  world = await startSdkWorld({ protection: 'none' });
});
afterAll(() => world.stop());

const { rejected } = dummyKeys;

async function open(form: string): Promise<Visit> {
  const { service, pages } = world;
  const script = `<script src="${service.url}/sdk/v1.js" defer></script>`;
  return visit(pages.add('/alert', contactPage(script, form), strictPolicy(service.url)));
}

/** Sends the form once more, and waits for the result. */
async function send({ page, told }: Visit): Promise<void> {
  const before = told.length;
  await page.locator('button').click();
  await expect.poll(() => told.length).toBe(before + 1);
}

const alerts = ({ page }: Visit) => page.getByRole('alert').allTextContents();

test('a lead that is not accepted is said to be not sent, once, in the language of the page or else in English', async () => {
  const visitor = await open(`data-leadgate="${rejected}"`);
  for (const [language, text] of [
    ['', 'Not sent.'],
    ['de', 'Nicht gesendet.'],
    ['de-AT', 'Nicht gesendet.'],
    ['FR', 'Non envoyé.'],
    ['es_MX', 'No enviado.'],
    ['it', 'Non inviato.'],
    ['ja', 'Not sent.'],
    ['__proto__', 'Not sent.'],
  ]) {
    await visitor.page.evaluate(`document.documentElement.lang = '${language}'`);
    await send(visitor);
    expect([language, ...(await alerts(visitor))]).toEqual([language, text]);
  }
  expect(await visitor.page.locator('form > p[role=alert]').isVisible()).toBe(true);
  expect(visitor.problems).toEqual([]);
});

test('a second failure is announced like the first, and nothing is said in between', async () => {
  const visitor = await open(`data-leadgate="${rejected}"`);
  await visitor.page.evaluate(`(() => {
    window.seen = [];
    const note = (name) => ({ role }) => role === 'alert' && seen.push(name);
    new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        removedNodes.forEach(note('removed'));
        addedNodes.forEach(note('added'));
      }
    }).observe(document, { childList: true, subtree: true });
    addEventListener('leadgate:failed', () => seen.push('failed'));
  })()`);
  await send(visitor);
  await send(visitor);
  // What fails before anything is sent too.
  await visitor.page.locator('textarea').fill('x'.repeat(200_000));
  await send(visitor);
  const once = ['failed', 'added'];
  expect(await visitor.page.evaluate('seen')).toEqual([
    ...once,
    'removed',
    ...once,
    'failed',
    'removed',
    'added',
  ]);
});

test('a lead that waits for a connection is not said to be lost, and nothing is said once it is accepted', async () => {
  const visitor = await open(`data-leadgate="${world.key}"`);
  const { page, told } = visitor;
  const online = () => page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.route('**/challenges', (route) => route.abort());
  await page.locator('button').click();
  await expect
    .poll(async () => {
      await online();
      return told.map(({ detail }) => detail);
    })
    .toEqual([{ reason: 'offline' }]);
  expect(await alerts(visitor)).toEqual(['Waiting for a connection.']);
  await page.unroute('**/challenges');
  await online();
  await expect.poll(() => told.at(-1)?.detail.submission_id).toEqual(expect.any(String));
  await expect.poll(() => alerts(visitor)).toEqual([]);
});

test('when a lead that waited is rejected later, its form says so', async () => {
  const visitor = await open(`data-leadgate="${world.key}"`);
  const { page, told } = visitor;
  const online = () => page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.route('**/challenges', (route) => route.abort());
  await page.locator('button').click();
  await expect
    .poll(async () => {
      await online();
      return told.map(({ detail }) => detail);
    })
    .toEqual([{ reason: 'offline' }]);
  await page.route('**/challenges', (route) =>
    route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } }),
  );
  await online();
  await expect.poll(() => told.at(-1)).toEqual({ event: 'leadgate:failed', detail: { reason: 'refused' } });
  await expect.poll(() => alerts(visitor)).toEqual(['Not sent.']);
});

test('data-error replaces the text, as text; empty turns it off, and so does a page that prevents the event', async () => {
  const text = '<b>Call us</b>';
  const visitor = await open(`data-leadgate="${rejected}" data-error="${text}"`);
  await send(visitor);
  expect(await alerts(visitor)).toEqual([text]);
  await visitor.page.evaluate(`document.forms[0].dataset.error = ''`);
  await send(visitor);
  expect(await alerts(visitor)).toEqual([]);
  await visitor.page.evaluate(`delete document.forms[0].dataset.error`);
  await send(visitor);
  expect(await alerts(visitor)).toEqual(['Not sent.']);
  await visitor.page.evaluate(`addEventListener('leadgate:failed', (event) => event.preventDefault())`);
  await send(visitor);
  expect(await alerts(visitor)).toEqual([]);
});

test('an attached form in a shadow tree says it there, with its own text if it has one; a lead without a form says nothing', async () => {
  const visitor = await open('');
  const { page } = visitor;
  const shadow = page.locator('#host').getByRole('alert');
  await page.evaluate(`(() => {
    const host = document.createElement('div');
    host.id = 'host';
    document.body.append(host);
    const root = host.attachShadow({ mode: 'open' });
    const form = document.createElement('form');
    root.append(form);
    window.attach = (options) => leadgate({ key: '${rejected}', ...options }).attach(form);
    window.sendForm = () => form.requestSubmit();
    attach({});
    sendForm();
  })()`);
  await expect.poll(() => shadow.allTextContents()).toEqual(['Not sent.']);
  await page.evaluate(`attach({ error: 'Call us' }); sendForm()`);
  await expect.poll(() => shadow.allTextContents()).toEqual(['Call us']);
  const options = `{ key: '${rejected}', error: 'Call us' }`;
  await page.evaluate(`leadgate(${options}).submit({ name: 'Ada' })`);
  expect(await alerts(visitor)).toEqual(['Call us']);
});
