import type { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { startWorkers, type WorkersProcess } from '../support/command-line/workers.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, type Sender, send, someLead } from '../support/sender.ts';
import { encryptionKey, operatorKey } from '../support/service.ts';

// Several processes on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

describe.runIf(process.platform === 'linux')('an outage of PostgreSQL, with several workers', () => {
  let world: OutageWorld;
  let service: WorkersProcess;
  /** Connections to each worker. */
  let agents: Agent[][];

  beforeAll(async () => {
    world = await OutageWorld.create();
    service = await startWorkers(world.dataDir, 2, {
      DATABASE_URL: world.outage.databaseUrl,
      OPERATOR_KEY: operatorKey,
      ENCRYPTION_KEY: encryptionKey,
      COMMIT_DEADLINE_MS: '1000',
    });
    const connections = Array.from({ length: 8 });
    agents = await Promise.all(
      service.workers().map((worker) => Promise.all(connections.map(() => service.connectTo(worker)))),
    );
  });
  afterAll(async () => {
    for (const agent of agents.flat()) agent.destroy();
    await service.stop();
    await world.close();
  });

  let sent = 0;

  /** To the worker with that number. */
  async function postTo(worker: number, sender: Sender, body: string, key?: string) {
    const headers = { Authorization: `Bearer ${sender.token}`, 'Content-Type': 'application/json' };
    const keyed = key === undefined ? headers : { ...headers, 'X-SVC-Idempotency-Key': key };
    const own = agents[worker] as Agent[];
    const agent = own[sent++ % own.length] as Agent;
    const { status, body: text } = await send(`${service.url}/api/v1/ingest`, 'POST', keyed, body, agent);
    return { status, id: JSON.parse(text).submission_id as string | undefined };
  }

  const numbered = (n: number) => JSON.stringify({ email: `ada-${n}@analytical.engine`, name: `Ada ${n}` });

  const storedOf = async ({ workspaceId }: Sender) => {
    const [row] = await world.query(`select count(*)::int from leads where workspace_id = '${workspaceId}'`);
    return row?.count as number;
  };

  test('a lead that another worker has seen is scored as a repeat', async () => {
    const sender = await createSender(service);
    let number = 0;
    // Only with a message is it clearly a repeat. The other worker hears of a lead a moment later, which may be after its repeat.
    const scoredOnOther = async () => {
      const body = JSON.stringify({
        email: 'ada@analytical.engine',
        message: `Please quote for part number ${++number}`,
      });
      for (const worker of [0, 1]) expect((await postTo(worker, sender, body)).status).toBe(202);
      const [latest] = await leadsOf(service, sender);
      return JSON.stringify(latest);
    };
    const isRepeat = (lead: string) => lead.includes('REPEAT_BODY');
    expect(await eventually(scoredOnOther, isRepeat)).toContain('REPEAT_BODY');
  });

  test('during an outage exactly the limit is accepted, and a key has one id on all workers', async () => {
    const [sender, keyed] = [await createSender(service), await createSender(service)];
    await world.outage.begin();
    const posts = (worker: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => postTo(worker, sender, numbered(n))));
    const half = submissionsPerMinuteMax / 2 + 100;
    const statuses = (await Promise.all([posts(0, half), posts(1, half)])).flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(submissionsPerMinuteMax);
    expect(statuses.filter((status) => status === 200)).toHaveLength(200);

    const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`);
    const twice = (key: string) =>
      Promise.all([postTo(0, keyed, someLead, key), postTo(1, keyed, someLead, key)]);
    for (const [one, other] of await Promise.all(keys.map(twice))) {
      expect(one.status).toBe(202);
      expect(one).toEqual(other);
    }
    await world.outage.end();
    const isStored = (count: number) => count >= submissionsPerMinuteMax;
    expect(await eventually(() => storedOf(sender), isStored)).toBe(submissionsPerMinuteMax);
    expect(
      await eventually(
        () => storedOf(keyed),
        (count) => count >= keys.length,
      ),
    ).toBe(keys.length);
    const [quarantined] = await world.query('select count(*)::int from spool_quarantine');
    expect(quarantined).toEqual({ count: 0 });
  });
});
