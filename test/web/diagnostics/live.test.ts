import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../../support/sender.ts';
import { type RejectedWorld, startRejectedWorld } from './rejected-world.ts';

let at: RejectedWorld;

beforeAll(async () => {
  at = await startRejectedWorld();
});
afterAll(async () => {
  await at.stop();
  expect(at.world.faults).toEqual([]);
});

const rows = () => at.page.getByRole('row').filter({ hasText: 'body_not_object' });
const isLive = () => at.page.getByRole('switch', { name: 'Live' }).isChecked();

async function reject(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await post(at.world.service, at.sender, 'server', '[]');
}

/** Written once a second. */
async function written(count: number): Promise<void> {
  const path = `/workspaces/${at.sender.workspaceId}/diagnostics?reason=body_not_object`;
  await expect.poll(async () => (await at.world.service.api('GET', path)).json.items.length).toBe(count);
}

test('new requests appear by themselves and are counted in words', async () => {
  await at.page.getByRole('heading', { name: 'Individual requests' }).waitFor();
  await reject(2);
  await expect.poll(() => rows().count()).toBe(2);
  await at.page.locator('[aria-live=polite]').getByText('2 new requests').waitFor();
});

test('rows stand still while the pointer is on one of them, and say how many are waiting', async () => {
  const { page } = at;
  await rows().first().hover();
  await reject(3);
  await page.locator('[aria-live=polite]').getByText('3 new requests').waitFor();
  expect(await rows().count()).toBe(2);
  await page.getByRole('heading', { name: 'Diagnostics' }).hover();
  await expect.poll(() => rows().count()).toBe(5);
  await rows()
    .first()
    .getByRole('button', { name: /^Details/ })
    .focus();
  await reject(1);
  await page.getByRole('button', { name: 'Show new requests' }).click();
  await expect.poll(() => rows().count()).toBe(6);
});

test('L stops and follows again, and R fetches what was missed', async () => {
  const { page } = at;
  await page.getByRole('heading', { name: 'Diagnostics' }).click();
  await page.keyboard.press('l');
  await expect.poll(isLive).toBe(false);
  await reject(1);
  await written(7);
  const tab = page.getByRole('tab', { name: /^Rejected · / });
  const before = await tab.textContent();
  await page.keyboard.press('r');
  await expect.poll(() => rows().count()).toBe(7);
  expect(await tab.textContent()).not.toBe(before);
  await reject(1);
  await written(8);
  await page.keyboard.press('l');
  await expect.poll(() => rows().count()).toBe(8);
});

test('a filter works while nothing is followed', async () => {
  const { page } = at;
  await page.keyboard.press('l');
  await expect.poll(isLive).toBe(false);
  await page.getByText('1 hour', { exact: true }).click();
  await page.getByRole('tab', { name: 'Rejected · 20' }).waitFor();
  await page.getByRole('heading', { name: 'Diagnostics' }).click();
  await page.keyboard.press('l');
});

test('single keys do nothing in inputs, with Ctrl, behind dialogs, or for people who switched them off', async () => {
  const { page } = at;
  await expect.poll(isLive).toBe(true);
  const input = page.getByLabel('Request ID');
  await input.pressSequentially('flr');
  expect(await input.inputValue()).toBe('flr');
  await input.fill('');
  await page.getByRole('heading', { name: 'Diagnostics' }).click();
  await page.keyboard.press('Control+l');
  await page.keyboard.press('Shift+l');
  await page.keyboard.press('f');
  await page.getByRole('dialog', { name: /^Filter/ }).waitFor();
  await page.keyboard.press('l');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await isLive()).toBe(true);
  await page.evaluate(`localStorage.setItem('leadgate.shortcuts', 'off')`);
  await page.getByRole('heading', { name: 'Diagnostics' }).click();
  await page.keyboard.press('f');
  await page.keyboard.press('l');
  expect(await isLive()).toBe(true);
  expect(await page.getByRole('dialog', { name: /^Filter/ }).count()).toBe(0);
  await page.evaluate(`localStorage.removeItem('leadgate.shortcuts')`);
});
