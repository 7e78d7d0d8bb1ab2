import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOutside, findingsInLightAndDark, overflow } from '../../support/browser/looks.ts';
import { type RejectedWorld, startRejectedWorld } from './rejected-world.ts';

let at: RejectedWorld;

beforeAll(async () => {
  at = await startRejectedWorld();
});
afterAll(async () => {
  await at.stop();
  expect(at.world.faults).toEqual([]);
});

const group = (name: RegExp) => at.page.getByRole('button', { name, expanded: false });
const parameters = () => Object.fromEntries(new URL(at.page.url()).searchParams);

test('a reason shows its severity in a word, its number, and when it was first and last seen', async () => {
  const timestamp = group(/^The timestamp differs/);
  await timestamp.waitFor();
  const text = (await timestamp.textContent()) ?? '';
  expect(text).toMatch(/Error: dropped/);
  expect(text).toMatch(/first 5 hr ago, last \d+ min ago/);
  expect(text).toMatch(/42$/);
  await timestamp.getByRole('img', { name: /^Most at .*: 30$/ }).waitFor();
  expect(await group(/^The form is inactive/).textContent()).toMatch(/Info: dropped on purpose/);
  expect(await findingsInLightAndDark(at.page, 'diagnostics-groups')).toEqual([]);
});

test('a reason opens to recent requests whose sentences have the real values, and to its section of the docs', async () => {
  const { page } = at;
  await group(/^The timestamp differs/).click();
  await page
    .getByText(
      'The timestamp was 6 min 12 s ahead of our clock; 5 min is allowed. The signature itself matches.',
    )
    .waitFor();
  await page.getByText('The timestamp was 2 h behind our clock').waitFor();
  await page.getByText('Showing 2 of 42', { exact: true }).first().waitFor();
  const docs = page.getByRole('link', { name: 'About timestamp_outside_window' });
  expect(await docs.getAttribute('href')).toBe('/docs/rejection-reasons#timestamp_outside_window');
  expect(await findingsInLightAndDark(page, 'diagnostics-samples')).toEqual([]);
  await page
    .getByRole('button', { name: /^Show request / })
    .first()
    .click();
  await page
    .getByRole('dialog', { name: 'Rejected request' })
    .getByText('timestamp_outside_window')
    .first()
    .waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show only these' }).click();
  await page.waitForURL(/reason=/);
  expect(parameters()).toEqual({ reason: 'timestamp_outside_window' });
  await group(/^The form is inactive/).waitFor({ state: 'detached' });
});

test('grouped by sender, the same reason is apart for each form and token, also after a reload', async () => {
  const { page } = at;
  await page.goto(at.at());
  await page.getByText('By reason and sender').click();
  await page.waitForURL(/group_by=sender/);
  await page.reload();
  await page.getByText('token · Contact · Backend').waitFor();
  expect(await group(/^The form is inactive\. ?webhook · Contact/).textContent()).toMatch(/3$/);
  await group(/^The form is inactive\. ?token · Contact · Backend/).click();
  await page.getByRole('button', { name: 'Show only these' }).click();
  await page.waitForURL(/reason=form_inactive/);
  const { formId, tokenId } = at.sender;
  expect(parameters()).toEqual({
    ...{ group_by: 'sender', reason: 'form_inactive' },
    ...{ surface: 'server', form_id: formId, token_id: tokenId },
  });
});

test('tiles show accepted, rejected and limited apart, the acceptance rate, and about how long responses take', async () => {
  const { page } = at;
  await page.goto(at.at());
  const tile = (name: string) => page.getByRole('group', { name, exact: true });
  expect(await tile('Rejected').innerText()).toMatch(/^Rejected\s+50\s+rejected/);
  expect(await tile('Rate limited').innerText()).toMatch(/^Rate limited\s+80\s+rate limited/);
  // 2,100 of 2,230, and nothing was measured.
  expect(await tile('Acceptance rate').innerText()).toMatch(/^Acceptance rate\s+94\.2%/);
  expect(await tile('Median response').innerText()).toMatch(/^Median response\s+–/);
  await page.getByRole('button', { name: 'Show rate as table' }).click();
  await page.getByRole('region', { name: 'Acceptance over time' }).getByText('%').first().waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  const counts = page.getByRole('region', { name: 'Counts over time' });
  await counts.getByRole('columnheader', { name: 'Accepted' }).waitFor();
  await counts.getByRole('columnheader', { name: 'Rate limited' }).waitFor();
});

test('on a phone nothing is cut off', async () => {
  const { page } = at;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const query of [
    '',
    '?tab=limited&group_by=sender',
    '?reason=form_inactive,body_not_json&severity=info',
  ]) {
    await page.goto(at.at(query));
    await page.getByRole('tab', { name: /^Rate limited/ }).waitFor();
    await expect.poll(() => overflow(page)).toBe(0);
    await expect.poll(() => actionsOutside(page)).toEqual([]);
  }
  expect(await findingsInLightAndDark(page, 'diagnostics-phone')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('rate limits show what is used of each limit, its peak, and how long it rejected submissions', async () => {
  const { page } = at;
  await page.goto(at.at('?tab=limited'));
  const minute = page.getByRole('group', { name: 'Token, per minute' });
  await minute.getByText('0 of 1,000').waitFor();
  await minute.getByText(/^Peak 1,000 at /).waitFor();
  expect(await page.getByRole('group', { name: 'Web page, per minute' }).count()).toBe(0);
  const spell = page.getByRole('row').filter({ hasText: 'Token, 1,000 per minute' });
  expect(await spell.textContent()).toMatch(/2 minutes80not sent$/);
  expect(await findingsInLightAndDark(page, 'diagnostics-limits')).toEqual([]);
});
