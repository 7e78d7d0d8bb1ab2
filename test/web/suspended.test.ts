import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, type Browser as Person } from '../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../support/browser/chromium.ts';
import { findingsInLightAndDark } from '../support/browser/looks.ts';
import { createSender, type Sender } from '../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let member: Person;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

test('every page of a suspended workspace says who suspended it and why, what has stopped and what still works', async () => {
  const at = `/w/${sender.workspaceId}`;
  await world.service.api('PATCH', `/workspaces/${sender.workspaceId}`, {
    status: 'suspended',
    reason: 'Unpaid',
  });
  const page = await world.open(at, { person: member });
  for (const path of ['', '/leads', '/forms']) {
    await page.goto(at + path);
    const banner = page.getByRole('alert').filter({ hasText: 'This workspace is suspended.' });
    await banner.getByText('by the operator. Reason: Unpaid').waitFor();
    await banner.getByText('every submission is rejected').waitFor();
    await banner.getByText('you can read, mark and export leads').waitFor();
  }
  expect(await findingsInLightAndDark(page, 'suspended')).toEqual([]);
  await world.service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'active' });
  await page.getByText('This workspace is suspended.').waitFor({ state: 'detached' });
});
