import { randomUUID } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { createDestination } from '../../manage/destinations/some-deliveries.ts';
import type { Seed } from '../../manage/leads/seed.ts';
import { actionsOutside, findingsInLightAndDark, overflow } from '../../support/browser/looks.ts';
import { picture } from '../../support/browser/picture.ts';
import type { TestService } from '../../support/service.ts';

/** What a destination of each kind that is not a webhook looks like in the database. */
const stored = {
  email: { config: { every: 'day', hour: 7, timeZone: 'Europe/Berlin', linkOnly: false }, mapping: [] },
  chat: { config: { service: 'slack', host: 'hooks.slack.com', linkOnly: false }, mapping: [] },
  hubspot: { config: {}, mapping: [{ from: 'email', to: 'email' }] },
};
export type OtherKind = keyof typeof stored;
export const otherKinds = Object.keys(stored) as OtherKind[];

/** A destination of another kind, paused so that nothing is sent. Made of a webhook, because nothing is asked of a receiver then. */
export async function seedDestination(
  service: TestService,
  seed: Seed,
  workspaceId: string,
  kind: OtherKind,
  name: string,
): Promise<string> {
  const { id } = await createDestination(service, workspaceId, { name });
  await service.api('POST', `/workspaces/${workspaceId}/destinations/${id}/pause`);
  const { config, mapping } = stored[kind];
  await seed.query(`update destinations set kind = $2, config = $3, mapping = $4 where id = $1`, [
    id,
    kind,
    JSON.stringify(config),
    JSON.stringify(mapping),
  ]);
  return id;
}

export async function addRecipient(
  seed: Seed,
  destinationId: string,
  address: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const row = {
    id: randomUUID(),
    destination_id: destinationId,
    address,
    added_at: new Date().toISOString(),
    ...values,
  };
  const places = Object.keys(row).map((_, i) => `$${i + 1}`);
  await seed.query(
    `insert into destination_recipients (${Object.keys(row)}) values (${places})`,
    Object.values(row),
  );
}

/** One of each kind, with attack strings wherever an owner or a server can put text. */
export async function seedHostile(
  service: TestService,
  seed: Seed,
  workspaceId: string,
  attacks: readonly string[],
): Promise<Readonly<Record<OtherKind, string>>> {
  const [first = '', second = '', third = ''] = attacks;
  const add = (kind: OtherKind, name: string) => seedDestination(service, seed, workspaceId, kind, name);
  const email = await add('email', first);
  await addRecipient(seed, email, 'ada@example.com', { last_error: second });
  const chat = await add('chat', second);
  const host = JSON.stringify({ host: third });
  await seed.query(`update destinations set config = config || $2 where id = $1`, [chat, host]);
  const hubspot = await add('hubspot', third);
  const mapping = JSON.stringify([{ from: 'email' }, { from: first, to: second, default: third }]);
  await seed.query(`update destinations set mapping = $2 where id = $1`, [hubspot, mapping]);
  return { email, chat, hubspot };
}

// biome-ignore lint/suspicious/noExplicitAny: each test expects a different shape.
type Json = any;

/**
 * Responds in place of the service to requests of one method, and returns their bodies. What a page asks for is what counts
 * here: the service would need a mail server, a chat and a CRM.
 */
export async function intercept(
  page: Page,
  method: string,
  url: RegExp,
  respond: (body: Json) => { readonly status?: number; readonly json?: unknown },
): Promise<Json[]> {
  const bodies: Json[] = [];
  await page.route(url, (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    const body = route.request().postDataJSON();
    bodies.push(body);
    return route.fulfill({ status: 200, ...respond(body) });
  });
  return bodies;
}

const widths = [390, 768, 1024, 1440];

/** Accessible in light and dark, and without anything beside the screen, from phones to large windows. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  // What is out of date is drawn paler.
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  expect(await findingsInLightAndDark(page, name)).toEqual([]);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1000 });
    await picture(page, `${name}-${width}`);
    await expect.poll(() => overflow(page)).toBe(0);
    await expect.poll(() => actionsOutside(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** A lead that tries to be more than text. */
export const hostile = '<img src=x onerror="window.attacked=1">';

/** What a dry run of any kind returns. */
export function dryRunOf({ kind }: Json) {
  const submission_id = randomUUID();
  const message = {
    title: `New lead: ${hostile}`,
    facts: [
      { label: 'email', value: 'ada@example.com' },
      { label: hostile, value: `First line\nSecond line ${hostile}` },
      { label: 'Form', value: 'Contact' },
    ],
    url: 'https://leads.example.com/w/1/leads/2',
  };
  const body = {
    email: 'New lead\n\nemail: ada@example.com\n',
    chat: '{"text":"New lead"}',
    hubspot: '{"inputs":[{"id":"ada@example.com","idProperty":"email"}]}',
  }[kind as OtherKind];
  return {
    checked: 3,
    matching: 3,
    skipped: kind === 'hubspot' ? 2 : 0,
    examples: [{ submission_id, body, message: kind === 'hubspot' ? null : message }],
    sample: null,
  };
}
