import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresIngest } from '../../src/db/ingest/postgres-ingest.ts';
import { realDisk } from '../../src/disk/real-disk.ts';
import { rateLimits } from '../../src/domain/rate-window.ts';
import { Circuit } from '../../src/ingest/circuit/circuit.ts';
import { Drain } from '../../src/ingest/spool/drain/drain.ts';
import { Spool } from '../../src/ingest/spool/spool.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { openTestPool } from '../support/database/database.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, post } from '../support/sender.ts';

let world: OutageWorld;
beforeAll(async () => {
  world = await OutageWorld.create();
});
afterAll(() => world.close());

const log = pino({ level: 'silent' });
const nextId = () => crypto.randomUUID();

/** Counts how often PostgreSQL was found unavailable. */
class WatchedCircuit extends Circuit {
  seenOpen = 0;

  override get isOpen(): boolean {
    if (super.isOpen) this.seenOpen++;
    return super.isOpen;
  }
}

/** Like a full disk: the drain position of a segment cannot be written. */
async function refuseCursors(spool: Spool): Promise<void> {
  for (const folder of spool.folders)
    for (const segment of await folder.segments()) await mkdir(join(folder.dir, `${segment}.drained.new`));
}

test.each([
  ['a spool', async () => {}],
  ['a spool on a full disk', refuseCursors],
])(
  '%s whose drain was interrupted by PostgreSQL is empty in the end, and counts no leads',
  async (_, prepare) => {
    const service = await world.start();
    const sender = await createSender(service);
    await world.outage.begin();
    // More than fits in one batch.
    const bodies = Array.from({ length: 30 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(100_000) }));
    for (const body of bodies) expect((await post(service, sender, 'server', body)).status).toBe(202);
    await world.stop(service);
    await world.outage.end();

    const spool = new Spool({
      randomness: systemRandomness,
      disk: realDisk,
      limits: rateLimits,
      root: join(world.dataDir, 'spool'),
      bytesMax: 2 ** 30,
      clock: systemClock,
      log,
      nextId,
    });
    await spool.open();
    expect(spool.stock.leads).toBe(bodies.length);
    await prepare(spool);
    const circuit = new WatchedCircuit({
      name: () => 'PostgreSQL',
      clock: systemClock,
      log,
      probe: async () => {
        if (circuit.seenOpen < 2) throw new Error('the drain has not stopped yet');
      },
    });
    let batches = 0;
    const meter = {
      onDrained: () => batches++ === 0 && circuit.trip(new Error('gone again')),
      onTorn() {},
      onDamaged() {},
      onQuarantined() {},
    };
    const pool = openTestPool(world.outage.databaseUrl);
    const drain = new Drain({
      spool,
      circuits: { trip: (_, error) => circuit.trip(error), isOpen: () => circuit.isOpen, close() {} },
      database: postgresIngest({
        pool,
        databaseUrl: world.outage.databaseUrl,
        deadlineMs: 1_000,
        citusRoute: 'direct',
        keyId: '',
      }),
      clock: systemClock,
      log,
      meter,
      isBusy: () => false,
      nextId,
      heavy: { project: () => Promise.reject(new Error('None of these is heavy.')) },
    });
    drain.start();
    const left = async () => spool.stock.leads;
    expect(await eventually(left, (leads) => leads === 0)).toBe(0);
    expect(spool.stock.bytes).toBe(0);
    expect(batches).toBeGreaterThan(1);
    await drain.stop();
    await circuit.stop();
    await spool.close();
    await pool.end();
    const next = await world.start();
    expect(await leadsOf(next, sender)).toHaveLength(bodies.length);
    await world.stop(next);
  },
);
