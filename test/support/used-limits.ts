import { expect } from 'vitest';
import type { Surface } from '../../src/domain/surface.ts';
import { openTestPool } from './database/database.ts';
import { post, type Sender } from './sender.ts';
import type { TestService } from './service.ts';

/**
 * Uses up part of a limit: one real lead opens the windows, and the others are only counted, as ingest_commit would have
 * done.
 */
export async function useUp(
  service: TestService,
  sender: Sender,
  surface: Surface,
  used: { readonly minute: number; readonly day?: number },
): Promise<void> {
  expect((await post(service, sender, surface, '{"n":"the first"}')).status).toBe(202);
  const pool = openTestPool(service.databaseUrl);
  const { rowCount } = await pool.query(
    `update rate_windows set minute_count = $3, day_count = $4
     where workspace_id = $1 and surface = $2 and (minute_count, day_count) = (1, 1)`,
    [sender.workspaceId, surface, used.minute, used.day ?? used.minute],
  );
  await pool.end();
  expect(rowCount).toBe(1);
}
