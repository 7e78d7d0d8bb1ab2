import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import type { Sender } from '../../support/sender.ts';
import type { TestService } from '../../support/service.ts';
import { attacks } from '../attack-strings.ts';

/** Attack strings in headers and bodies that were rejected. */
export async function seedHeld(service: TestService, sender: Sender): Promise<string> {
  const pool = openTestPool(service.databaseUrl);
  const request = {
    timestamp: attacks[0] as string,
    signature: attacks[1] as string,
    contentType: attacks[3] as string,
  };
  await holdRow(pool, sender, { reason: 'form_inactive', body: JSON.stringify(attacks) });
  await holdRow(pool, sender, { reason: 'body_not_json', class: 'C', body: attacks.join() });
  const unproven = { reason: 'signature_mismatch', class: 'D', surface: 'webhook' } as const;
  const id = await holdRow(pool, sender, {
    ...unproven,
    body: JSON.stringify({ [attacks[0] as string]: attacks }),
    request,
  });
  await pool.end();
  return id;
}
