import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardOf } from '../../src/domain/workspace.ts';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { join, type Browser as Person } from '../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/browser/chromium.ts';

let world: BrowserWorld;
let seed: Seed;
let person: Person;
let workspaceId: string;
let formId: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  formId = (await createForm(world.service, workspaceId, { name: 'Contact' })).id;
  person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${workspaceId}/enrichment`, { person });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const provider = async () =>
  (await world.service.api('GET', `/workspaces/${workspaceId}/enrichment`)).json.provider;

test('an owner sets up a provider, and sees its signing secret once', async () => {
  await page.getByText('so a provider is saved but not used').waitFor();
  await page.getByLabel('URL', { exact: true }).fill('https://api.provider-public.com/companies');
  await page.getByLabel('API key header').fill('Authorization');
  await page.getByLabel('Header value', { exact: true }).fill('Bearer the-key');
  await page.getByLabel('Lookups per day').fill('250');
  await page.getByLabel('Response field for company.name').fill('data.name');
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret' });
  expect(await dialog.getByLabel('Signing secret', { exact: true }).inputValue()).toMatch(/^lgs_/);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  expect(await provider()).toMatchObject({
    header_value_set: true,
    daily_limit: 250,
    mapping: { 'company.name': 'data.name' },
  });
});

test('the lookups of the day are shown, and when the limit is reached', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const spent = (used: number) =>
    seed.query(
      `insert into enrichment_budgets (workspace_id, provider, day, used) values ($1, 'external', $2, $3)
       on conflict (workspace_id, provider, day) do update set used = excluded.used`,
      [workspaceId, day, used],
    );
  const card = page.getByRole('group', { name: 'Lookups today' });
  await spent(90);
  await page.reload();
  await card.getByText('90 of 250').waitFor();
  await spent(250);
  await page.reload();
  await card.getByText('Limit reached').waitFor();
  await card.getByText('Leads are enriched without your provider').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test('an error is shown at its input, and nothing is lost', async () => {
  await page.getByLabel('URL', { exact: true }).fill('https://localhost/');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('use an https URL with a public host').waitFor();
  expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe('https://localhost/');
  expect((await provider()).url).toBe('https://api.provider-public.com/companies');
  await page.getByLabel('URL', { exact: true }).fill('https://api.provider-public.com/companies');
});

test('the limit can be changed without typing the secrets again', async () => {
  await page.getByLabel('Lookups per day').fill('300');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('group', { name: 'Lookups today' }).getByText('of 300').waitFor();
  expect(await provider()).toMatchObject({ daily_limit: 300, header_value_set: true });
});

test('a removed provider is gone', async () => {
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove provider' }).click();
  await page.getByText('Not set').waitFor();
  expect(await provider()).toBeNull();
});

test('a lead says what was found later, which address was probably meant, and that its domain accepts no email', async () => {
  const reasons = [
    { code: 'EMAIL_DISPOSABLE_MX', points: 35, field: 'email', evidence: 'mail.wabblywabble.com' },
    { code: 'EMAIL_TYPO', points: 10, field: 'email', evidence: 'gmail.com' },
  ];
  const leadId = await seed.lead(workspaceId, {
    form_id: formId,
    fields: { name: 'Ada', email: 'ada@gmial.com' },
    received_at: new Date().toISOString(),
    verdict: 'suspect',
    risk: 45,
    reasons: JSON.stringify(reasons),
  });
  await seed.enrichment(workspaceId, leadId, {
    schema: 1,
    status: 'complete',
    email: { class: 'disposable_likely', deliverability: 'undeliverable' },
    provenance: {
      'email.class': {
        provider: 'mx',
        method: 'dns',
        confidence: 0.85,
        alternatives: [{ value: 'business', provider: 'email_domain', method: 'derived', confidence: 0.9 }],
      },
    },
    providers: [
      { id: 'mx', phase: 'dns', version: 2, outcome: 'found', ms: 12, cached: false },
      { id: 'external', phase: 'external', version: 1, outcome: 'skip', why: 'budget' },
    ],
  });
  await seed.query(
    `insert into lead_second_looks (shard, workspace_id, submission_id, looked_at, provider, verdict_before,
       score_before, grade_before, risk_before, reasons_before, verdict, score, grade, risk, ruleset)
     values ($1, $2, $3, now(), 'mx', 'clean', 60, 'B', 10, '[]', 'suspect', 40, 'C', 45, 'test')`,
    [shardOf(workspaceId), workspaceId, leadId],
  );
  await page.goto(`/w/${workspaceId}/leads/${leadId}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Scored as suspect after a check of its mail server').waitFor();
  await drawer.getByText('It arrived as clean with risk 10; the risk is now 45.').waitFor();
  await drawer.getByText('Did the person mean ada@gmail.com?').waitFor();
  await drawer.getByText('The domain of this email address does not accept email.').waitFor();
  await drawer.getByRole('tab', { name: 'Enrichment' }).click();
  await drawer.getByText('Other values: business (email_domain)').waitFor();
  await drawer.getByText('external: skip (the daily limit is reached)').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await drawer.getByRole('tab', { name: 'History' }).click();
  await drawer.getByText('Before: clean, score 60 (grade B), risk 10').waitFor();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await seriousFindings(page, ['color-contrast'])).toEqual([]);
  }
  await drawer.getByRole('button', { name: 'Mark as not spam' }).click();
  await drawer.getByText(/; scored as suspect\.$/).waitFor();
});
