import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { revisit } from '../../support/browser/looks.ts';
import { expectGoodLooks, hostile, intercept } from '../destinations/other-kinds.ts';

const token = 'c2VjcmV0';
const notFound = { status: 404, json: { code: 'not_found', title: 'Not found', status: 404 } };

let world: BrowserWorld;
let page: Page;
/** Every request to the API that was not a read, by path. */
const changes: string[] = [];
const inUrls: string[] = [];

beforeAll(async () => {
  world = await startBrowserWorld();
  page = await world.open('/sign-in');
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && !pathname.endsWith('/preview')) changes.push(pathname);
    if (request.url().includes(token)) inUrls.push(request.url());
  });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});
afterEach(async () => {
  await page.unrouteAll();
  changes.length = 0;
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const preview = (status: string) =>
  intercept(page, 'POST', /\/recipient-links\/preview$/, () => ({
    json: { address: 'ada@example.com', status, destination: `Sales ${hostile}`, workspace: 'Engines' },
  }));

const links = [
  {
    path: '/emails/confirm',
    ...{ call: '/recipient-links/confirm', before: 'waiting', title: 'Confirm your address' },
    ...{ action: 'Confirm address', done: 'Address confirmed', already: 'Already confirmed' },
    doneStatus: 'confirmed',
  },
  {
    path: '/emails/unsubscribe',
    ...{ call: '/recipient-links/unsubscribe', before: 'confirmed', title: 'Unsubscribe' },
    ...{ action: 'Unsubscribe', done: 'Unsubscribed', already: 'Already unsubscribed' },
    doneStatus: 'unsubscribed',
  },
];

test.each(links)('$path changes nothing until its button is pressed, and needs no account', async (link) => {
  const asked = await preview(link.before);
  const sent = await intercept(page, 'POST', new RegExp(`${link.call}$`), () => ({ status: 204 }));
  await revisit(page, `${link.path}#token=${token}`);
  await heading(link.title);
  await page.getByText('ada@example.com').waitFor();
  await page.getByText(`Sales ${hostile}`).waitFor();
  await page.getByText('Engines').waitFor();
  await expectGoodLooks(page, `link ${link.action}`);
  expect([asked, sent, changes]).toEqual([[{ token }], [], []]);
  await button(link.action).click();
  await heading(link.done);
  expect(sent).toEqual([{ token }]);
  await expectGoodLooks(page, `link ${link.done}`);
  expect(await page.evaluate('window.attacked')).toBeUndefined();
  expect(inUrls).toEqual([]);
});

test.each(links)(
  '$path says if there is nothing left to do',
  async ({ path, doneStatus, already, action }) => {
    await preview(doneStatus);
    await revisit(page, `${path}#token=${token}`);
    await heading(already);
    expect(await button(action).count()).toBe(0);
  },
);

test.each(links)(
  '$path of an unknown link or one that has ended says what to do',
  async ({ path, call, action, before }) => {
    await revisit(page, `${path}#token=unknown`);
    await heading('This link is not valid');
    await expectGoodLooks(page, `link of ${path.replaceAll('/', ' ')} not valid`);
    await preview(before);
    await intercept(page, 'POST', new RegExp(`${call}$`), () => notFound);
    await revisit(page, `${path}#token=${token}`);
    await button(action).click();
    await heading('This link is not valid');
  },
);

test.each(links)(
  '$path can be tried again when the service was unavailable',
  async ({ path, call, action, done, before }) => {
    await preview(before);
    const responses = [{ status: 503, json: { code: 'unavailable', title: 'Unavailable', status: 503 } }];
    await intercept(page, 'POST', new RegExp(`${call}$`), () => responses.shift() ?? { status: 204 });
    await revisit(page, `${path}#token=${token}`);
    await button(action).click();
    await page.getByRole('alert').waitFor();
    await button(action).click();
    await heading(done);
  },
);
