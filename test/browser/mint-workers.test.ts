import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { preparedDataDir } from '../support/command-line/process.ts';
import { startWorkers, type WorkersProcess } from '../support/command-line/workers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { elsewhere, exchanged, type PageForm, PageWorld } from './page-world.ts';

// Several processes on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

// Elsewhere connections cannot be followed to their worker.
describe.runIf(process.platform === 'linux')('two workers of a host', () => {
  const dataDir = preparedDataDir();
  let database: TestDatabase;
  let service: WorkersProcess;
  let pages: PageWorld;
  let form: PageForm;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startWorkers(dataDir.path, 2, { DATABASE_URL: database.url, TRUST_PROXY: '1' });
    pages = new PageWorld(service);
    form = await pages.createForm({ protection: 'work' });
  });
  afterAll(async () => {
    await pages.close();
    await service.stop();
    await database.drop();
    dataDir.remove();
  });

  test('give one token for a challenge that is sent to both', async () => {
    const agents = await Promise.all(service.workers().map((worker) => service.connectTo(worker)));
    for (let round = 0; round < 4; round++) {
      const given = await pages.challenge(form, elsewhere());
      const body = exchanged(given);
      const answers = await Promise.all(
        agents.map((agent) => pages.ask('tokens', body, { ...elsewhere(), agent })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    }
    for (const agent of agents) agent.destroy();
  });

  test('give a network its tokens of a minute together, and count them together', async () => {
    const free = await pages.createForm();
    const agents = await Promise.all(service.workers().map((worker) => service.connectTo(worker)));
    const from = elsewhere();
    const statuses: number[] = [];
    for (let n = 0; n < 70; n++) {
      const agent = agents[n % 2] as (typeof agents)[number];
      statuses.push((await pages.token(free, { ...from, agent })).status);
    }
    for (const agent of agents) agent.destroy();
    const minted = statuses.filter((status) => status === 201).length;
    // A minute may end in between.
    expect([30, 60]).toContain(minted > 30 ? 60 : minted);
    const name = 'minted https://www.example.com';
    expect((await pages.counts(free, (counts) => counts[name] === minted))[name]).toBe(minted);
  });
});
