import pg from 'pg';
import { expect, test } from 'vitest';
import { applyFlushOnNode, type OutcomeFlush } from './outcomes.ts';

test('a flush of which the limits of the host left nothing is done without the database', async () => {
  const nothing: OutcomeFlush = {
    counts: [],
    unattributed: [],
    unattributedRequests: [],
    entries: [],
    notes: [],
    formerSecretUses: [],
    clockDrifts: [],
    handlingTimes: [],
    tokensUsed: [],
    formUses: [],
  };
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
  const applied = applyFlushOnNode(pool, crypto.randomUUID(), 1, 0, nothing, () => 0);
  expect(await applied).toBeUndefined();
});
