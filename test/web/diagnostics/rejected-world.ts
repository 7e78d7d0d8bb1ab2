import type { Page } from 'playwright-core';
import { Seed } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { createSender, type Sender } from '../../support/sender.ts';

export interface RejectedWorld {
  readonly world: BrowserWorld;
  readonly sender: Sender;
  readonly seed: Seed;
  readonly page: Page;
  /** The page of diagnostics. */
  readonly at: (query?: string) => string;
  stop(): Promise<void>;
}

const minuteMs = 60_000;

/** The start of the minute that many minutes ago. */
const minutesAgo = (minutes: number) =>
  new Date((Math.floor(Date.now() / minuteMs) - minutes) * minuteMs).toISOString();

/** An owner on the page of diagnostics, and a workspace with accepted, rejected and limited submissions. */
export async function startRejectedWorld(): Promise<RejectedWorld> {
  const world = await startBrowserWorld();
  const sender = await createSender(world.service);
  const seed = new Seed(world.service);
  const { workspaceId, formId: form_id, tokenId: token_id } = sender;
  const webhook = { form_id, surface: 'webhook' };
  await seed.count(workspaceId, minutesAgo(50), 'accepted', 90, { form_id, token_id });
  await seed.count(workspaceId, minutesAgo(300), 'accepted', 10, webhook);
  await seed.count(workspaceId, minutesAgo(50), 'timestamp_outside_window', 12, webhook);
  await seed.count(workspaceId, minutesAgo(300), 'timestamp_outside_window', 30, webhook);
  await seed.count(workspaceId, minutesAgo(90), 'form_inactive', 5, { form_id, token_id });
  await seed.count(workspaceId, minutesAgo(90), 'form_inactive', 3, webhook);
  for (const minutes of [121, 120]) {
    await seed.count(workspaceId, minutesAgo(minutes), 'accepted', 1_000, { form_id, token_id });
    await seed.count(workspaceId, minutesAgo(minutes), 'rate_limited_minute', 40, { form_id, token_id });
  }
  for (const [minutes, drift_seconds] of [
    [50, 372],
    [300, -7_200],
  ] as const)
    await seed.rejection(workspaceId, minutesAgo(minutes), 'timestamp_outside_window', {
      ...webhook,
      detail: JSON.stringify({ drift_seconds, signature_valid: true }),
    });
  await seed.rejection(workspaceId, minutesAgo(90), 'form_inactive', { form_id, token_id });
  const at = (query = '') => `/w/${workspaceId}/tokens/diagnostics${query}`;
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  const page = await world.open(at(), { person });
  const stop = async () => {
    await seed.stop();
    await world.stop();
  };
  return { world, sender, seed, page, at, stop };
}
