import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../src/domain/api-key/scope.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { createApiKey } from '../manage/api-keys/key-holder.ts';
import { addDelivery, createDestination } from '../manage/destinations/some-deliveries.ts';
import { Seed } from '../manage/leads/seed.ts';
import { goodPassword, join, makeOperator } from '../support/browser/browser.ts';
import { type BrowserWorld, focused, loaded, startBrowserWorld } from '../support/browser/chromium.ts';
import { actionsOutside, findingsInLightAndDark, overflow, turnTo } from '../support/browser/looks.ts';
import { picture } from '../support/browser/picture.ts';
import { openTestPool } from '../support/database/database.ts';
import { quarantined, spooledLead } from '../support/quarantine.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { seedAlarms } from './alarms/hostile-alarms.ts';
import { attacks } from './attack-strings.ts';
import { type OtherKind, otherKinds, seedHostile } from './destinations/other-kinds.ts';
import { seedHeld } from './held/hostile-held.ts';

const pageNames = [
  'overview',
  'leads',
  'lead',
  'forms',
  'fields',
  'delivery',
  'web page',
  'scoring',
  'tokens',
  'diagnostics',
  'rate limits',
  'held',
  'a held request',
  'alarms',
  'an alarm',
  'alarm settings',
  'debugger',
  'enrichment',
  'destinations',
  'new destination',
  'destination',
  ...otherKinds.map((kind) => `${kind} destination`),
  'deliveries',
  'a delivery',
  'api keys',
  'workspace',
  'operator',
  'operator workspaces',
  'operator people',
  'operator settings',
  'quarantine',
  'account',
  'emails confirmed',
  'emails stopped',
];

let world: BrowserWorld;
const email = 'olga@example.com';
let page: Page;
let paths: Record<string, string>;

beforeAll(async () => {
  world = await startBrowserWorld();
  const sender = await createSender(world.service);
  const person = await join(world.service, sender.workspaceId, email, 'owner');
  await makeOperator(world.service, person);
  page = await world.open('/account', { person });
  const leadId = await seedLeads(sender);
  const heldId = await seedHeld(world.service, sender);
  const alarmId = await seedAlarms(world.service, sender);
  paths = pagesOf(sender, { leadId, heldId, alarmId, ...(await seedDeliveries(sender, leadId)) });
});
afterAll(() => world.stop());

/** Attack strings everywhere a sender or a colleague can put text. */
async function seedLeads(sender: Sender): Promise<string> {
  const { service } = world;
  const fields = Object.fromEntries(
    attacks.flatMap((attack, i) => [
      [`key${i}`, attack],
      [attack, 'x'],
    ]),
  );
  await post(service, sender, 'server', JSON.stringify(fields));
  await post(service, sender, 'webhook', JSON.stringify({ name: 'Ada', email: 'ada@mailinator.com' }));
  await post(service, sender, 'webhook', '{}', { secret: attacks[0] as string });
  await post(service, sender, 'server', `["${attacks[1]}`);
  await service.api('PATCH', `/workspaces/${sender.workspaceId}`, { name: attacks[0] });
  await service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, {
    name: attacks[1],
    fields: [{ key: 'key0', label: attacks[3] }],
  });
  const token = { name: attacks[2], form_id: sender.formId };
  await service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, token);
  await createApiKey(service, sender.workspaceId, scopes, { name: attacks[0] });
  const ended = await createApiKey(service, sender.workspaceId, ['leads:read'], { name: attacks[1] });
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/api-keys/${ended.id}`);
  await service.api('PUT', `/workspaces/${sender.workspaceId}/enrichment-provider`, {
    url: 'https://api.provider-public.com/companies?q=<svg/onload=window.attacked=1>',
    mapping: { 'company.name': 'data.name', 'company.city': 'data.address.city' },
  });
  const seed = new Seed(service);
  const now = new Date().toISOString();
  await seed.count(sender.workspaceId, now, 'rate_limited_minute', 40, { form_id: sender.formId });
  await seed.rejection(sender.workspaceId, now, 'signature_mismatch', {
    form_id: sender.formId,
    surface: 'webhook',
    detail: JSON.stringify({ note: attacks[1] }),
  });
  const fieldsOfLead = Object.fromEntries(attacks.slice(0, 6).map((attack, i) => [`key${i}`, attack]));
  const lead = { fields: fieldsOfLead, form_id: sender.formId, received_at: now };
  const leadId = await seed.lead(sender.workspaceId, lead);
  await seed.enrichment(sender.workspaceId, leadId, { company: { name: attacks[0] } });
  await seed.stop();
  const pool = openTestPool(service.databaseUrl);
  await quarantined(pool, spooledLead(sender, '{}'));
  await quarantined(pool, spooledLead(sender, '{}'), 'other_body');
  await pool.end();
  return leadId;
}

interface Shown {
  readonly leadId: string;
  readonly heldId: string;
  readonly alarmId: string;
  readonly destinationId: string;
  readonly deliveryId: string;
  readonly ofKind: Readonly<Record<OtherKind, string>>;
}

async function seedDeliveries(
  { workspaceId, formId }: Sender,
  leadId: string,
): Promise<Omit<Shown, 'leadId' | 'heldId' | 'alarmId'>> {
  const { id } = await createDestination(world.service, workspaceId, {
    name: attacks[0],
    url: 'https://93.184.215.14/?q=<svg/onload=window.attacked=1>',
    form_ids: [formId],
    filter: { any: [{ field: `field.${attacks[1]}`, op: 'in', value: [attacks[0], attacks[3]] }] },
    format: 'mapped',
    mapping: [{ from: attacks[3], to: attacks[0], default: attacks[1] }],
  });
  // So that nothing is sent.
  await world.service.api('POST', `/workspaces/${workspaceId}/destinations/${id}/pause`);
  const seed = new Seed(world.service);
  const failed = { state: 'dead', attempts: 1, last_error: attacks[1], submission_id: leadId };
  const created_at = new Date().toISOString();
  const deliveryId = await addDelivery(seed, workspaceId, id, { ...failed, created_at });
  await seed.query(
    `insert into delivery_attempts (shard, workspace_id, delivery_id, n, at, ms, error)
     values ($1, $2, $3, 1, now(), 5, $4)`,
    [shardOf(workspaceId), workspaceId, deliveryId, attacks[3]],
  );
  await seed.query(
    `update destination_health set failing_since = now(), last_error = $2 where destination_id = $1`,
    [id, attacks[3]],
  );
  const ofKind = await seedHostile(world.service, seed, workspaceId, attacks);
  await seed.stop();
  return { destinationId: id, deliveryId, ofKind };
}

function pagesOf(
  { workspaceId, formId }: Sender,
  { leadId, heldId, alarmId, destinationId, deliveryId, ofKind }: Shown,
): Record<string, string> {
  const base = `/w/${workspaceId}`;
  const form = `${base}/forms/${formId}`;
  return {
    overview: base,
    leads: `${base}/leads`,
    lead: `${base}/leads/${leadId}`,
    forms: `${base}/forms`,
    fields: form,
    delivery: `${form}/delivery`,
    'web page': `${form}/delivery/web-page`,
    scoring: `${form}/scoring`,
    tokens: `${base}/tokens`,
    diagnostics: `${base}/tokens/diagnostics`,
    'rate limits': `${base}/tokens/diagnostics?tab=limited`,
    held: `${base}/tokens/diagnostics/held`,
    'a held request': `${base}/tokens/diagnostics/held/${heldId}`,
    alarms: `${base}/alarms?state=all`,
    'an alarm': `${base}/alarms/${alarmId}`,
    'alarm settings': `${base}/alarms/settings`,
    debugger: `${base}/debugger`,
    enrichment: `${base}/enrichment`,
    destinations: `${base}/destinations`,
    'new destination': `${base}/destinations/new`,
    destination: `${base}/destinations/${destinationId}`,
    ...Object.fromEntries(
      otherKinds.map((kind) => [`${kind} destination`, `${base}/destinations/${ofKind[kind]}`]),
    ),
    deliveries: `${base}/deliveries`,
    'a delivery': `${base}/deliveries/${deliveryId}`,
    'api keys': `${base}/api-keys?show=all`,
    workspace: `${base}/workspace`,
    operator: '/operator',
    'operator workspaces': '/operator/workspaces',
    'operator people': '/operator/people',
    'operator settings': '/operator/settings',
    quarantine: '/operator/quarantine',
    account: '/account',
    'emails confirmed': '/emails/confirm',
    'emails stopped': '/emails/unsubscribe',
  };
}

async function settled(path: string): Promise<void> {
  await turnTo(page, path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

/** There are changes to discard until the service has stored them. */
async function savedLabel(): Promise<string> {
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  const [, workspaceId, formId] = /^\/w\/(.+)\/forms\/(.+)$/.exec(paths.fields as string) ?? [];
  const { json } = await world.service.api('GET', `/workspaces/${workspaceId}/forms/${formId}`);
  return json.fields[0].label;
}

describe.each(pageNames)('%s', (name) => {
  beforeAll(() => settled(paths[name] as string));

  test('is served at its URL', async () => {
    const response = await fetch(world.service.url + paths[name]);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(' src="/assets/index-');
  });

  test('is accessible in light and dark', async () => {
    expect(await findingsInLightAndDark(page, name)).toEqual([]);
  });

  test('fits a phone, with all of its actions', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, `${name}-phone`);
    await expect.poll(() => overflow(page)).toBe(0);
    await expect.poll(() => actionsOutside(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('runs nothing that senders wrote', async () => {
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    expect(world.faults).toEqual([]);
  });
});

test('each tab of a lead shows attack strings as plain text', async () => {
  await settled(paths.lead as string);
  const drawer = page.getByRole('dialog');
  for (const tab of ['Fields', 'Score', 'Enrichment', 'Deliveries', 'History', 'Exact bytes']) {
    await drawer.getByRole('tab', { name: tab }).click();
    await drawer.getByRole('tabpanel').waitFor();
  }
  await drawer.getByText('window.attacked=1').first().waitFor();
  expect(await page.evaluate('window.attacked')).toBeUndefined();
  expect(world.faults).toEqual([]);
});

test('a lost connection keeps what was typed, and saving can be tried again', async () => {
  await settled(paths.fields as string);
  await page.getByLabel('Label of field 1').fill('Typed before the line broke');
  await page.route('**/api/v1/workspaces/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Save fields' }).click();
  await page.getByText('The service is not responding.').waitFor();
  await page.unroute('**/api/v1/workspaces/**');
  expect(await page.getByLabel('Label of field 1').inputValue()).toBe('Typed before the line broke');
  await page.getByRole('button', { name: 'Save fields' }).click();
  expect(await savedLabel()).toBe('Typed before the line broke');
});

test('a session that ends during work is renewed in place, and what was typed stays', async () => {
  await settled(paths.fields as string);
  await page.getByLabel('Label of field 1').fill('Typed before the session ended');
  await page.context().clearCookies();
  // Something that is fetched again may have found out before the click, and the dialog covers the button.
  await page.getByRole('button', { name: 'Save fields' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await focused(dialog.getByLabel('Email'));
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save fields' }).click();
  expect(await savedLabel()).toBe('Typed before the session ended');
});
