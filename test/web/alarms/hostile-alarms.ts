import { addAlarm, stopJudging } from '../../support/alarms/alarm-rows.ts';
import { openTestPool } from '../../support/database/database.ts';
import type { Sender } from '../../support/sender.ts';
import type { TestService } from '../../support/service.ts';
import { attacks } from '../attack-strings.ts';

/** Attack strings in names and in what was found. */
export async function seedAlarms(
  service: TestService,
  { workspaceId, formId, tokenId }: Sender,
): Promise<string> {
  const pool = openTestPool(service.databaseUrl);
  await stopJudging(pool);
  const names = {
    form: attacks[0] as string,
    token: attacks[1] as string,
    destination: attacks[3] as string,
  };
  for (const kind of ['silence', 'delivery_failing', 'expiry_near', 'after_change', 'clock_drift'] as const)
    await addAlarm(pool, workspaceId, { kind, formId, names, severity: 'medium' });
  await addAlarm(pool, null, { kind: 'unattributed_surge', severity: 'low', evidence: { rejected: 900 } });
  const id = await addAlarm(pool, workspaceId, {
    kind: 'field_vanished',
    reason: attacks[1] as string,
    formId,
    tokenId,
    names,
    evidence: { key: attacks[1], had_percent: 99, leads: 200, missing_in: 12 },
    acknowledgedAt: new Date(),
    acknowledgedBy: attacks[3] as string,
  });
  await pool.end();
  return id;
}
