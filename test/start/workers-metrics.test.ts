import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../bench/port.ts';
import { preparedDataDir } from '../support/command-line/process.ts';
import { isAlive, startWorkers, type WorkersProcess } from '../support/command-line/workers.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, type Sender, send, someLead } from '../support/sender.ts';

// Several processes on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const requests = 'leadgate_ingest_requests_total{';
const accepted = 'leadgate_ingest_requests_total{surface="server",outcome="accepted"}';

// Elsewhere connections cannot be followed to their worker.
describe.runIf(process.platform === 'linux')('metrics of two workers', () => {
  const dataDir = preparedDataDir();
  let service: WorkersProcess;
  let sender: Sender;
  let metricsPort: number;

  beforeAll(async () => {
    metricsPort = await freePort();
    service = await startWorkers(dataDir.path, 2, { METRICS_PORT: String(metricsPort) });
    sender = await createSender(service);
  });
  afterAll(async () => {
    await service.stop();
    dataDir.remove();
  });

  const senderHeaders = () => ({
    Authorization: `Bearer ${sender.token}`,
    'Content-Type': 'application/json',
  });

  async function leadToEach(): Promise<void> {
    for (const worker of await service.whenRunning(2)) {
      const agent = await service.connectTo(worker);
      const { status } = await send(`${service.url}/api/v1/ingest`, 'POST', senderHeaders(), someLead, agent);
      agent.destroy();
      expect(status).toBe(202);
    }
  }

  /** The sum of the series that start so, from the port of the supervisor or from that of the workers. */
  async function read(series: string, url = `http://127.0.0.1:${metricsPort}`): Promise<number> {
    const headers = { Authorization: `Bearer ${service.operatorKey}` };
    const { status, body } = await send(`${url}/metrics`, 'GET', headers, '', new Agent());
    expect(status).toBe(200);
    const lines = body.split('\n').filter((line) => line.startsWith(series));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  const workersStatement = async () => {
    const { json } = await service.api('GET', '/operator/health');
    return json.statements.find(({ id }: { id: string }) => id === 'workers');
  };

  test('counts of both add up, and health says that both run', async () => {
    await leadToEach();
    expect(await read(accepted)).toBe(2);
    expect(await read(accepted, service.url)).toBe(2);
    expect(await read('leadgate_commit_batch_rows_sum')).toBe(2);
    expect(await read('leadgate_workers ')).toBe(2);
    expect(await workersStatement()).toMatchObject({ state: 'ok', text: '2 of 2 workers are running.' });
    const { json } = await service.api('GET', '/operator/health/series');
    expect(json.workers).toBe(2);
  });

  test('a worker that is killed takes no count with it, and health says so', async () => {
    for (const [round, { place }] of service.workers().entries()) {
      const victim = service.workers().find((worker) => worker.place === place);
      const before = await read(accepted);
      process.kill(victim?.pid as number, 'SIGKILL');
      await service.whenRunning(1);
      await service.whenRunning(2);
      await eventually(
        () => read('leadgate_workers '),
        (running) => running === 2,
      );
      expect(await read(accepted)).toBe(before);
      await leadToEach();
      expect(await read(accepted)).toBe(before + 2);
      expect(await read('leadgate_worker_restarts_total')).toBe(round + 1);
    }
    expect(await workersStatement()).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(
        /^2 of 2 workers are running\. One died and was started again \d+ s ago\.$/,
      ),
    });
  });

  /** False when the system reset a new connection, because a worker closed its port before it accepted that one. */
  async function isAnswered(): Promise<boolean> {
    try {
      await send(`${service.url}/api/v1/ingest`, 'POST', senderHeaders(), someLead, new Agent());
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return false;
      throw error;
    }
  }

  test('a rolling restart under load loses no count, not even of the last moment, and is no death', async () => {
    const before = await read(requests);
    const pids = service.workers().map(({ pid }) => pid);
    process.kill(service.supervisorPid, 'SIGUSR2');
    let responses = 0;
    while (pids.some(isAlive) || service.workers().length !== 2) {
      if (await isAnswered()) responses++;
    }
    expect(await read(requests)).toBe(before + responses);
    expect(await read('leadgate_worker_restarts_total')).toBe(2);
  });
});
