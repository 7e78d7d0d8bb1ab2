import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../manage/api-keys/key-holder.ts';
import { addDelivery, createDestination } from '../../manage/destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { addAlarm, stopJudging } from '../../support/alarms/alarm-rows.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';

/** Of the window, weighted by how far it moved: what the browser calls cumulative layout shift. */
const shiftMax = 0.02;

let world: BrowserWorld;
let seed: Seed;
let person: Person;
let base: string;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  const workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}`;
  for (const name of ['Contact', 'Quote request', 'Newsletter']) {
    const form = await createForm(world.service, workspaceId, { name });
    const token = { name: `Backend of ${name}`, form_id: form.id };
    await world.service.api('POST', `/workspaces/${workspaceId}/tokens`, token);
    for (let n = 0; n < 8; n++) {
      const fields = { name: `Ada ${n}`, email: `ada${n}@example.com`, message: 'A quote, please' };
      const received_at = new Date(Date.now() - n * 60_000).toISOString();
      await seed.lead(workspaceId, { form_id: form.id, received_at, fields });
    }
  }
  await createApiKey(world.service, workspaceId, ['leads:read', 'forms:read']);
  await seedDeliveries(workspaceId);
  await seedHeld(workspaceId);
  await seedAlarms(workspaceId);
  person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  await join(world.service, workspaceId, 'pete@example.com', 'member');
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

/** Nothing is sent, because the destinations are paused. */
async function seedDeliveries(workspaceId: string): Promise<void> {
  for (const name of ['CRM', 'Newsletter tool']) {
    const { id } = await createDestination(world.service, workspaceId, { name });
    await world.service.api('POST', `/workspaces/${workspaceId}/destinations/${id}/pause`);
    const failed = { state: 'dead', attempts: 10, last_error: 'The receiver responded with 503.' };
    for (let n = 0; n < 5; n++)
      await addDelivery(seed, workspaceId, id, { ...failed, created_at: new Date().toISOString() });
  }
}

/** Reasons that banners and reasons that none offers. */
async function seedHeld(workspaceId: string): Promise<void> {
  const form = await createForm(world.service, workspaceId, { name: 'Landing page' });
  const token = { name: 'Landing page', form_id: form.id };
  const { json } = await world.service.api('POST', `/workspaces/${workspaceId}/tokens`, token);
  const sender = { workspaceId, formId: form.id, tokenId: json.id, slug: '', token: '', secret: '' };
  const pool = openTestPool(world.service.databaseUrl);
  for (const reason of ['form_inactive', 'rate_limited_minute', 'rate_limited_day'] as const)
    await holdRow(pool, sender, { reason });
  await pool.end();
}

async function seedAlarms(workspaceId: string): Promise<void> {
  const pool = openTestPool(world.service.databaseUrl);
  await stopJudging(pool);
  const evidence = { silent_hours: 30, expected: 14, usual_per_week: 300 };
  await addAlarm(pool, workspaceId, { names: { form: 'Landing page' }, evidence });
  await pool.end();
}

interface Shifts {
  readonly sum: number;
  readonly moved: readonly string[];
}

/** Runs in the page. Nothing is observed if nothing has moved, and what has moved is observed within a frame or two. */
const readShifts = `new Promise((resolve) => {
  const read = (entries) => resolve({
    sum: entries.reduce((sum, { value }) => sum + value, 0),
    moved: entries.flatMap(({ sources }) => sources.map(({ node }) => (node?.textContent ?? '').slice(0, 60))),
  });
  new PerformanceObserver((list) => read(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => read([]))));
})`;

const pages: Record<string, { readonly path: string; readonly last: string; readonly title?: string }> = {
  Overview: { path: '', last: 'Newest leads' },
  Leads: { path: '/leads', last: 'ada7@example.com' },
  Forms: { path: '/forms', last: 'Newsletter' },
  'Ingest tokens': { path: '/tokens', last: 'Backend of Newsletter' },
  Diagnostics: { path: '/tokens/diagnostics', last: 'Show as table' },
  Held: { path: '/tokens/diagnostics/held', last: 'Over the limit per day', title: 'Diagnostics' },
  Alarms: { path: '/alarms', last: 'No leads for Landing page' },
  'Alarm settings': { path: '/alarms/settings', last: 'Disabled destination' },
  'API keys': { path: '/api-keys', last: 'Zapier' },
  Destinations: { path: '/destinations', last: 'Newsletter tool' },
  Deliveries: { path: '/deliveries', last: 'Newsletter tool' },
  Workspace: { path: '/workspace', last: 'Audit log' },
};

test.each([390, 1440])('pages do not move while they load, %d pixels wide', async (width) => {
  for (const [name, { path, last, title = name }] of Object.entries(pages)) {
    const page = await world.open(`${base}${path}`, { person, width, savesData: true });
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await loaded(page);
    await page.getByText(last).filter({ visible: true }).first().waitFor();
    const { sum, moved } = await page.evaluate<Shifts>(readShifts);
    expect(sum, `${name}: ${moved.join(' | ')}`).toBeLessThanOrEqual(shiftMax);
    await page.close();
  }
});
