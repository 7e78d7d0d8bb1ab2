import type { BrowserActivity } from '../../contract/browser/activity.ts';
import { listOriginActivity, type OriginActivity } from '../../db/browser/browser-activity.ts';
import { findForm } from '../../db/forms/forms.ts';
import { minuteMs } from '../../time/clock.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

const refusedPrefix = 'refused:';

export async function readActivity(
  { pool, clock }: ManagementDeps,
  workspaceId: string,
  formId: string,
  minutes: number,
): Promise<BrowserActivity> {
  if ((await findForm(pool, workspaceId, formId)) === null) throw notFound('form');
  const since = new Date(clock.now() - minutes * minuteMs);
  const found = await listOriginActivity(pool, workspaceId, formId, since);
  // The ones that were seen last come first.
  const seen = found.find(({ origin }) => origin !== '');
  return {
    since: since.toISOString(),
    origins: found.map(viewOrigin),
    last_seen: seen === undefined ? null : { origin: seen.origin, at: seen.lastAt.toISOString() },
  };
}

function viewOrigin({ origin, steps, lastAt }: OriginActivity): BrowserActivity['origins'][number] {
  const { challenged = 0, minted = 0, used = 0, accepted = 0 } = steps;
  const refused = Object.entries(steps)
    .filter(([step]) => step.startsWith(refusedPrefix))
    .map(([step, count]) => [step.slice(refusedPrefix.length), count] as const);
  return {
    origin,
    challenged,
    minted,
    used,
    accepted,
    refused: Object.fromEntries(refused),
    last_at: lastAt.toISOString(),
  };
}
