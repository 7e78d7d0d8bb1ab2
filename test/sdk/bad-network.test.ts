import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/time/random.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { contactPage } from './page-server.ts';
import { type Told, type Visit, visit } from './visit.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

/** More with SDK_SUBMITS, which takes minutes. */
const submits = Number(process.env.SDK_SUBMITS ?? 30);
const seed = 20;
const visitors = 3;

let world: SdkWorld;
let network: CuttingProxy;
let url: string;

beforeAll(async () => {
  // The work is not what is tested here, and the proxy says who the visitors are.
  world = await startSdkWorld({ protection: 'none' }, { env: { TRUST_PROXY: '1' } });
  network = await startCuttingProxy(world.service.url, seed);
  const script = `<script src="${network.url}/sdk/v1.js" defer></script>`;
  url = world.pages.add('/contact', contactPage(script, `data-leadgate="${world.key}"`));
});
afterAll(async () => {
  network.stop();
  await world.stop();
});

const online = (page: Page) => page.evaluate(`dispatchEvent(new Event('online'))`);
const waiting = (page: Page) => page.evaluate('Object.keys(sessionStorage).length') as Promise<number>;
const idsOf = (told: readonly Told[]) => told.flatMap(({ detail }) => detail.submission_id ?? []);

async function send({ page }: Pick<Visit, 'page'>, message: string): Promise<void> {
  await page.locator('textarea').fill(message);
  await page.locator('button').click();
}

async function leadsWith(message: string) {
  return (await world.leads()).filter(({ fields }) => fields.message === message);
}

test('a lead whose five attempts fail waits, and is sent when the browser is online again', async () => {
  const visitor = await visit(url);
  const { page, told } = visitor;
  network.cutPercent = 100;
  await send(visitor, 'Later');
  await expect
    .poll(async () => {
      await online(page);
      return told.map(({ detail }) => detail);
    })
    .toEqual([{ reason: 'offline' }]);
  expect(await page.locator('button').isEnabled()).toBe(true);
  expect(await leadsWith('Later')).toEqual([]);
  network.cutPercent = 0;
  await online(page);
  await expect.poll(() => told.length).toBe(2);
  expect(told[1]).toEqual({ event: 'leadgate:accepted', detail: { submission_id: expect.any(String) } });
  expect(await leadsWith('Later')).toHaveLength(1);
  expect(await waiting(page)).toBe(0);
});

test('a lead is stored before the click returns, so that it survives whatever follows', async () => {
  const { page, told } = await visit(url);
  const stored = await page.evaluate(`(() => {
    document.querySelector('textarea').value = 'Clicked';
    document.querySelector('button').click();
    const { length } = sessionStorage;
    location.reload();
    return length;
  })()`);
  expect(stored).toBe(1);
  await expect.poll(() => idsOf(told)).toHaveLength(1);
  expect(await leadsWith('Clicked')).toHaveLength(1);
});

test('a lead whose response was lost is accepted after a reload, and stored once', async () => {
  const visitor = await visit(url);
  const { page, told } = visitor;
  await page.route('**/submissions', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(visitor, 'Reloaded');
  await expect.poll(() => leadsWith('Reloaded')).toHaveLength(1);
  expect(await waiting(page)).toBe(1);
  await page.unroute('**/submissions');
  await page.reload();
  await expect.poll(() => told.length).toBe(1);
  const [lead, ...others] = await leadsWith('Reloaded');
  expect([idsOf(told), others]).toEqual([[lead.submission_id], []]);
  expect(await waiting(page)).toBe(0);
});

test('the same fields again, while they wait, are the same lead; with other fields it is another', async () => {
  const visitor = await visit(url);
  const { page, told } = visitor;
  network.cutPercent = 100;
  await send(visitor, 'Again');
  await expect.poll(() => waiting(page)).toBe(1);
  await page.reload();
  await send(visitor, 'Again');
  await expect.poll(() => page.locator('form').getAttribute('aria-busy')).toBe('true');
  expect(await waiting(page)).toBe(1);
  network.cutPercent = 0;
  await online(page);
  await expect.poll(() => told.length).toBe(1);
  await send(visitor, 'Another');
  await expect.poll(() => told.length).toBe(2);
  expect(await leadsWith('Again')).toHaveLength(1);
  expect(await leadsWith('Another')).toHaveLength(1);
});

test.each([
  [2, { submission_id: expect.any(String) }],
  [3, { reason: 'refused' }],
])('after %i refused exchanges of a challenge, the result is %j', async (refusals, result) => {
  const visitor = await visit(url);
  let left = refusals;
  await visitor.page.route('**/tokens', (route) =>
    left-- > 0
      ? route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } })
      : route.continue(),
  );
  await send(visitor, `Refused ${refusals} times`);
  await expect.poll(() => visitor.told.map(({ detail }) => detail)).toEqual([result]);
  expect(visitor.posted.filter((path) => path.endsWith('/challenges'))).toHaveLength(3);
});

test('a token that expired before anything was sent with it is replaced; one whose outcome is not known is not', async () => {
  const visitor = await visit(url);
  const { page, told, posted } = visitor;
  const expire = `for (const name of Object.keys(sessionStorage)) {
    const lead = JSON.parse(sessionStorage[name]);
    sessionStorage[name] = JSON.stringify({ ...lead, until: 1, sent: SENT, token: TOKEN });
  }`;
  const tokens = () => posted.filter((path) => path.endsWith('/tokens')).length;
  for (const [message, isSent, result] of [
    ['Replaced', false, { submission_id: expect.any(String) }],
    ['Uncertain', true, { reason: 'rejected' }],
  ] as const) {
    network.cutPercent = 100;
    await send(visitor, message);
    await expect.poll(() => waiting(page)).toBe(1);
    await page.evaluate(expire.replace('SENT', `${isSent}`).replace('TOKEN', `'ingt_br_expired'`));
    // Nothing of the page that leaves may write what it knows.
    await page.goto('about:blank');
    const before = tokens();
    network.cutPercent = 0;
    await page.goto(url);
    await expect.poll(() => told.at(-1)?.detail).toEqual(result);
    expect(tokens() - before).toBe(isSent ? 0 : 1);
    expect(await waiting(page)).toBe(0);
  }
});

test.each([
  ['local', 1],
  ['none', 0],
])('with data-storage="%s", %i lead waits for another tab', async (storage, count) => {
  const script = `<script src="${network.url}/sdk/v1.js" defer></script>`;
  const form = `data-leadgate="${world.key}" data-storage="${storage}"`;
  const page = world.pages.add(`/${storage}`, contactPage(script, form));
  const visitor = await visit(page);
  network.cutPercent = 100;
  await send(visitor, `Kept ${storage}`);
  await expect.poll(() => visitor.posted.length).toBeGreaterThan(0);
  await visitor.page.close();
  network.cutPercent = 0;
  const tabs = await Promise.all([visitor.context.newPage(), visitor.context.newPage()]);
  await Promise.all(tabs.map((tab) => tab.goto(page)));
  // Both may hear of it: what one tab removes from the storage, the other still sees for a moment.
  await expect.poll(() => new Set(idsOf(visitor.told)).size).toBe(count);
  expect(await leadsWith(`Kept ${storage}`)).toHaveLength(count);
});

test(`of ${submits} leads sent over a network that cuts at random, on pages that are reloaded, none is lost or doubled`, {
  timeout: 300_000 + submits * 2_000,
}, async () => {
  const random = new Random(seed);
  network.cutPercent = 30;
  const told: Told[] = [];
  const one = async (first: number) => {
    const visitor = await visit(url);
    // Pauses end when the browser is online again.
    await visitor.context.addInitScript(`setInterval(() => dispatchEvent(new Event('online')), 100)`);
    await visitor.page.reload();
    for (let number = first; number < submits; number += visitors) {
      const before = visitor.told.length;
      await send(visitor, `Cut ${number}`);
      if (random.chance(0.5)) await expect.poll(() => visitor.told.length).toBeGreaterThan(before);
      else await visitor.page.reload();
      await visitor.page.locator('form:not([aria-busy])').waitFor();
    }
    return visitor;
  };
  const all = await Promise.all(Array.from({ length: visitors }, (_, first) => one(first)));
  network.cutPercent = 0;
  for (const visitor of all) {
    await visitor.page.reload();
    await expect.poll(() => waiting(visitor.page)).toBe(0);
    told.push(...visitor.told);
  }
  const leads = (await world.leads()).filter(({ fields }) => /^Cut /.test(fields.message));
  const ids = new Set(leads.map(({ submission_id }) => submission_id));
  expect(idsOf(told).filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(leads.map(({ fields }) => fields.message)).size).toBe(submits);
  expect(leads).toHaveLength(submits);
  expect(network.responsesCut()).toBeGreaterThan(0);
});
