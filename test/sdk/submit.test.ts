import { afterAll, beforeAll, expect, test } from 'vitest';
import { dummyKeys } from '../../src/domain/browser/dummy-keys.ts';
import { contactPage, strictPolicy } from './page-server.ts';
import { visit } from './visit.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

let world: SdkWorld;

beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.stop());

const script = () => `<script src="${world.service.url}/sdk/v1.js" defer></script>`;
const leadOf = async (id: string | undefined) =>
  (await world.leads()).find(({ submission_id }) => submission_id === id);

test('under a strict policy a form is sent by the script alone, and the page hears the ID of the lead', async () => {
  const { pages, service, key } = world;
  const more =
    '<input type="checkbox" name="topic" value="a" checked><input type="checkbox" name="topic" value="b" checked><input type="file" name="cv">';
  const html = contactPage(script(), `data-leadgate="${key}"`, more);
  const url = pages.add('/strict', html, strictPolicy(service.url));
  const { page, told, problems } = await visit(`${url}?utm_source=news&secret=1`);
  await page.locator('textarea').fill('A question');
  await page
    .locator('[name=cv]')
    .setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
  await page.locator('button').click();
  await expect
    .poll(() => told)
    .toEqual([{ event: 'leadgate:accepted', detail: { submission_id: expect.any(String) }, target: 'FORM' }]);
  const lead = await leadOf(told[0]?.detail.submission_id);
  expect(lead.fields).toMatchObject({
    name: 'Ada Lovelace',
    message: 'A question',
    topic: ['a', 'b'],
    cv: 'cv.pdf',
  });
  expect(lead.fields).not.toHaveProperty('_hp');
  expect(lead.fields._context).toMatchObject({ page: url, campaign: { utm_source: 'news' } });
  expect(lead.fields._context.elapsed_ms).toBeGreaterThan(0);
  expect(await page.locator('textarea').inputValue()).toBe('');
  expect(await page.locator('button').isEnabled()).toBe(true);
  expect(problems).toEqual([]);
});

test('the module sends what it is given, and says what became of it', async () => {
  const { pages, service, key } = world;
  const { page, told, posted } = await visit(pages.add('/module', '<!doctype html><title>App</title>'));
  const submit = (name: string, options: object) =>
    page.evaluate(
      `import('${service.url}/sdk/v1.mjs').then(({ leadgate }) => leadgate(${JSON.stringify(options)}).submit({ name: '${name}', tags: [1] }))`,
    ) as Promise<{ submission_id: string }>;
  const { submission_id } = await submit('Grace', { key, context: false });
  expect((await leadOf(submission_id)).fields).toEqual({ name: 'Grace', tags: [1] });
  expect(told).toEqual([{ event: 'leadgate:accepted', detail: { submission_id } }]);
  expect(posted.map((path) => path.replace('/api/v1/browser/', ''))).toEqual([
    'challenges',
    'tokens',
    'submissions',
  ]);
  expect(await submit('Ida', { key: dummyKeys.rejected, url: service.url })).toEqual({ reason: 'rejected' });
  expect(await submit('Ida', { key: dummyKeys.spent })).toEqual({ reason: 'refused' });
});

test('two clicks and the Enter key send one lead; the form is busy meanwhile, and then goes to the next page', async () => {
  const { pages, key } = world;
  const url = pages.add('/double', contactPage(script(), `data-leadgate="${key}" data-next="/thanks"`));
  pages.add('/thanks', '<!doctype html><title>Thanks</title>');
  const { page, told, posted } = await visit(url);
  const before = (await world.leads()).length;
  const busy = await page.evaluate(`(() => {
    const [form] = document.forms;
    const button = form.querySelector('button');
    button.click();
    button.click();
    form.requestSubmit();
    return [button.disabled, form.getAttribute('aria-busy')];
  })()`);
  expect(busy).toEqual([true, 'true']);
  await page.waitForURL('**/thanks');
  expect(told.map(({ event }) => event)).toEqual(['leadgate:accepted']);
  expect(posted.filter((path) => path.endsWith('/submissions'))).toHaveLength(1);
  expect(await world.leads()).toHaveLength(before + 1);
});

test('a page that handles the events itself stays, and keeps its fields', async () => {
  const { pages, key } = world;
  const url = pages.add(
    '/stay',
    contactPage(script(), `data-leadgate="${key}" data-next="/thanks" data-context="off"`),
  );
  const { page, told } = await visit(url);
  await page.evaluate(`addEventListener('leadgate:accepted', (event) => event.preventDefault())`);
  await page.locator('textarea').fill('I stay');
  await page.locator('button').click();
  await expect.poll(() => told).toHaveLength(1);
  expect(page.url()).toBe(url);
  expect(await page.locator('textarea').inputValue()).toBe('I stay');
  expect(await page.locator('button').isEnabled()).toBe(true);
  expect((await leadOf(told[0]?.detail.submission_id)).fields).not.toHaveProperty('_context');
});

test('what a page’s own listener prevents is not sent', async () => {
  const { pages, key } = world;
  const { page, posted } = await visit(pages.add('/own', contactPage(script(), `data-leadgate="${key}"`)));
  await page.evaluate(`document.addEventListener('submit', (event) => event.preventDefault())`);
  await page.locator('button').click();
  expect(await page.locator('form').getAttribute('aria-busy')).toBeNull();
  expect(posted).toEqual([]);
});

test('a form of 200 KB fails before anything is sent, and can be corrected', async () => {
  const { pages, key } = world;
  const { page, told, posted } = await visit(
    pages.add('/large', contactPage(script(), `data-leadgate="${key}"`)),
  );
  await page.locator('textarea').fill('x'.repeat(200_000));
  await page.locator('button').click();
  await expect
    .poll(() => told)
    .toEqual([{ event: 'leadgate:failed', detail: { reason: 'too_large' }, target: 'FORM' }]);
  expect(posted).toEqual([]);
  expect(await page.locator('button').isEnabled()).toBe(true);
});

test('a page of an origin that is not allowed is refused', async () => {
  const { pages, key } = world;
  const url = pages
    .add('/foreign', contactPage(script(), `data-leadgate="${key}"`))
    .replace('127.0.0.1', 'localhost');
  const { page, told, posted } = await visit(url);
  await page.locator('button').click();
  await expect.poll(() => told.map(({ detail }) => detail)).toEqual([{ reason: 'refused' }]);
  expect(posted).toEqual(['/api/v1/browser/challenges']);
});

test('the honeypot is invisible, cannot be reached by the keyboard, and arrives only when it is filled in', async () => {
  const { pages, key } = world;
  const { page, told } = await visit(pages.add('/pot', contactPage(script(), `data-leadgate="${key}"`)));
  const pot = page.locator('[name=_hp]');
  expect(await pot.isVisible()).toBe(false);
  expect([await pot.getAttribute('tabindex'), await pot.getAttribute('autocomplete')]).toEqual(['-1', 'off']);
  await page.evaluate(`document.querySelector('[name=_hp]').value = 'https://spam.example'`);
  await page.locator('button').click();
  await expect.poll(() => told).toHaveLength(1);
  expect((await leadOf(told[0]?.detail.submission_id)).fields._hp).toBe('https://spam.example');
});
