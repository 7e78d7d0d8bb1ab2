import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOutside, findingsInLightAndDark, overflow } from '../../support/browser/looks.ts';
import { eventually } from '../../support/diagnostics.ts';
import { post } from '../../support/sender.ts';
import { type RejectedWorld, startRejectedWorld } from './rejected-world.ts';

let at: RejectedWorld;
/** The ID of a request whose token belongs to nobody. */
let unknownId: string;
/** Of one that a limit has rejected. */
let limitedId: string;

beforeAll(async () => {
  at = await startRejectedWorld();
  const { world, sender, seed } = at;
  const token = `${sender.token.slice(0, -1)}${sender.token.endsWith('a') ? 'b' : 'a'}`;
  const answer = await post(world.service, { ...sender, token }, 'server');
  unknownId = String(answer.headers['x-request-id']);
  const { formId: form_id, tokenId: token_id, workspaceId } = sender;
  await seed.rejection(workspaceId, '2026-11-01T08:00:00Z', 'rate_limited_minute', { form_id, token_id });
  const read = () =>
    at.world.service.api(
      'GET',
      `/workspaces/${workspaceId}/diagnostics?from=2026-10-25T00:00:00Z&reason=rate_limited_minute`,
    );
  const { json } = await eventually(read, (found) => found.json.items.length === 1);
  limitedId = json.items[0].request_id;
});
afterAll(async () => {
  await at.stop();
  expect(at.world.faults).toEqual([]);
});

test('a request that is not found says why that may be, and nothing about what was sent or when', async () => {
  const { page } = at;
  await page.getByRole('textbox', { name: 'Request ID' }).fill(unknownId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No rejection with this request ID' }).waitFor();
  await page.getByText(/^It named no workspace/).waitFor();
  const shown = await page.getByRole('main').innerText();
  expect(shown).not.toMatch(/Nothing was|Accepted\n|% of|Median|Rejected ·/);
  expect(await page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(false);
  expect(await findingsInLightAndDark(page, 'request-not-found')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await expect.poll(() => actionsOutside(page)).toEqual([]);
  expect(await findingsInLightAndDark(page, 'request-not-found-phone')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await findingsInLightAndDark(page, 'request-not-found-wide')).toEqual([]);
});

test('a request is found whatever its reason and time, and other filters that hide it can be removed', async () => {
  const { page } = at;
  await page.goto(at.at(`?request_id=${limitedId}`));
  const row = page.getByRole('row').filter({ hasText: 'rate_limited_minute' });
  await row.waitFor();
  expect(await findingsInLightAndDark(page, 'request-found')).toEqual([]);
  await page.goto(at.at(`?request_id=${limitedId}&range=1h&surface=webhook`));
  await page.getByText('Searched only in: surface webhook, the last 1 hour.').waitFor();
  await page.getByRole('button', { name: 'Search without other filters' }).click();
  await row.waitFor();
  await page.getByText('24 hours', { exact: true }).click();
  await page.waitForURL(/range=24h/);
  await page.getByText('Searched only in: the last 24 hours.').waitFor();
});
