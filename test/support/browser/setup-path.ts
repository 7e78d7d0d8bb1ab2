import { createSetupLink } from '../../../src/manage/people/setup.ts';
import { openTestPool } from '../database/database.ts';
import type { TestService } from '../service.ts';

/** The path of a new setup link, as the start of the service prints it. */
export async function newSetupPath({ databaseUrl, clock, url }: TestService): Promise<string> {
  const pool = openTestPool(databaseUrl);
  const link = await createSetupLink({ pool, clock, publicUrl: () => url });
  await pool.end();
  return (link ?? '').replace(url, '');
}
