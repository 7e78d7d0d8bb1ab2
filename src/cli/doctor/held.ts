import type pg from 'pg';
import type { Config } from '../../config.ts';
import { countMissedAnywhere } from '../../db/held/held-counts.ts';
import { readHeldBytes } from '../../db/held/held-usage.ts';
import { missedCountedDays } from '../../domain/held/held-bounds.ts';
import { dayMs } from '../../time/clock.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'held submissions';
const mebibyte = 1024 ** 2;

/** Whether there is space for rejected requests of all workspaces. */
export async function checkHeld(
  pool: pg.Pool,
  { isHeldOn, heldBytesMax }: Pick<Config, 'isHeldOn' | 'heldBytesMax'>,
): Promise<Finding> {
  const { proven } = await readHeldBytes(pool);
  const missed = await countMissedAnywhere(pool, new Date(Date.now() - (missedCountedDays - 1) * dayMs));
  const used = `${Math.ceil(proven / mebibyte)} of ${Math.floor(heldBytesMax / mebibyte)} MiB are used`;
  const text = `${used}, and ${missed} rejected requests were not kept in ${missedCountedDays} days.`;
  if (!isHeldOn) return ok(check, `Turned off by HELD. ${text}`);
  const isScarce = proven > heldBytesMax / 2;
  return isScarce
    ? warning(check, `${text} Workspaces that use much keep no more.`, 'Set a higher HELD_BYTES_MAX.')
    : ok(check, text);
}
