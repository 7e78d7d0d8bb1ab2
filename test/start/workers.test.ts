import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { preparedDataDir } from '../support/command-line/process.ts';
import { isAlive, startWorkers, type WorkersProcess } from '../support/command-line/workers.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, type Sender, send, someLead } from '../support/sender.ts';

/** The system resets about one in a thousand connections while a worker closes the port (docs/operating.md). Nothing was sent then. */
async function connected<Response>(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    const { syscall, code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (syscall !== 'connect' || code !== 'ECONNRESET') throw error;
    return send();
  }
}

// Several processes on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

// Elsewhere the system does not share a port, and connections cannot be followed to their worker.
describe.runIf(process.platform === 'linux')('several workers on one port', () => {
  const dataDir = preparedDataDir();
  let service: WorkersProcess;
  let sender: Sender;

  beforeAll(async () => {
    service = await startWorkers(dataDir.path, 2, {});
    sender = await createSender(service);
  });
  afterAll(async () => {
    await service.stop();
    dataDir.remove();
  });

  /** One lead to each worker. */
  async function leadToEach(token: string) {
    const answers = [];
    for (const worker of service.workers()) {
      const agent = await service.connectTo(worker);
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      answers.push(await send(`${service.url}/api/v1/ingest`, 'POST', headers, someLead, agent));
      agent.destroy();
    }
    return answers.map(({ status }) => status);
  }

  /** Where the first worker serves what others forward to it. */
  function socketFolder(): string {
    const first = service.workers().find(({ place }) => place === 1);
    const open = readFileSync('/proc/net/unix', 'utf8');
    return dirname(new RegExp(` (/\\S+/${first?.pid}\\.sock)$`, 'm').exec(open)?.[1] as string);
  }

  test('every worker knows a new token, and that it was revoked, before the API responds', async () => {
    for (let round = 0; round < 5; round++) {
      const path = `/workspaces/${sender.workspaceId}/tokens`;
      const { json } = await service.api('POST', path, { name: 'Short', form_id: sender.formId });
      expect(await leadToEach(json.token)).toEqual([202, 202]);
      await service.api('DELETE', `${path}/${json.id}`);
      expect(await leadToEach(json.token)).toEqual([200, 200]);
    }
  });

  test('wrong operator keys are counted for all workers together', async () => {
    const [one, other] = await Promise.all(service.workers().map((worker) => service.connectTo(worker)));
    const guess = (at: number) =>
      send(
        `${service.url}/metrics`,
        'GET',
        { Authorization: `Bearer guess-${at}` },
        '',
        (at % 2 === 0 ? one : other) as NonNullable<typeof one>,
      );
    const statuses: number[] = [];
    for (let at = 0; at < 110; at++) statuses.push((await guess(at)).status);
    one?.destroy();
    other?.destroy();
    expect(statuses.indexOf(429)).toBe(100);
  });

  test('a worker that is killed is replaced, and the other accepts leads meanwhile', async () => {
    for (const place of [2, 1]) {
      const victim = service.workers().find((worker) => worker.place === place);
      const pid = victim?.pid as number;
      process.kill(pid, 'SIGKILL');
      const [other] = await service.whenRunning(1);
      const agent = await service.connectTo(other as NonNullable<typeof other>);
      const headers = { Authorization: `Bearer ${sender.token}`, 'Content-Type': 'application/json' };
      expect((await send(`${service.url}/api/v1/ingest`, 'POST', headers, someLead, agent)).status).toBe(202);
      agent.destroy();
      await service.whenRunning(2);
      // The API waits for the first worker to be back.
      expect((await service.api('GET', `/workspaces/${sender.workspaceId}`)).status).toBe(200);
    }
  });

  test('a rolling restart replaces every worker, and no request that was sent fails', async () => {
    const before = service.workers().map(({ pid }) => pid);
    process.kill(service.supervisorPid, 'SIGUSR2');
    const isReplaced = () => before.every((pid) => !isAlive(pid)) && service.workers().length === 2;
    const statuses = new Set<string>();
    const headers = { Authorization: `Bearer ${sender.token}`, 'Content-Type': 'application/json' };
    while (!isReplaced()) {
      const lead = await connected(() =>
        fetch(`${service.url}/api/v1/ingest`, { method: 'POST', headers, body: someLead }),
      );
      await lead.text();
      const { status } = await connected(() => service.api('GET', `/workspaces/${sender.workspaceId}`));
      statuses.add(`${lead.status} ${status}`);
    }
    expect([...statuses]).toEqual(['202 200']);
    expect(service.output()).not.toContain('does not respond');
  });

  test('a worker that dies during a rolling restart leaves one worker in its place', async () => {
    for (const dying of ['new', 'old']) {
      const before = service.processes();
      const told = service.output().length;
      process.kill(service.supervisorPid, 'SIGUSR2');
      const [fresh = 0] = await eventually(
        async () => service.processes().filter((pid) => !before.includes(pid)),
        (found) => found.length === 1,
      );
      const first = service.workers().find(({ place }) => place === 1);
      process.kill(dying === 'new' ? fresh : (first?.pid as number), 'SIGKILL');
      await eventually(
        async () => service.output().slice(told),
        (text) => text.includes(`rolling restart ${dying === 'new' ? 'cancelled' : 'finished'}`),
      );
      // Another worker would have started by now.
      expect((await service.api('GET', `/workspaces/${sender.workspaceId}`)).status).toBe(200);
      expect(service.processes()).toHaveLength(2);
      expect(
        service
          .workers()
          .map(({ place }) => place)
          .sort(),
      ).toEqual([1, 2]);
    }
  });

  test('when the supervisor is killed, its workers stop too', async () => {
    const pids = service.workers().map(({ pid }) => pid);
    const folder = socketFolder();
    process.kill(service.supervisorPid, 'SIGKILL');
    await eventually(
      async () => pids.some(isAlive),
      (some) => !some,
    );
    expect(existsSync(folder)).toBe(false);
    service = await startWorkers(dataDir.path, 2, {});
    expect(await leadToEach(sender.token)).toEqual([202, 202]);
  });

  test('SIGTERM stops all of them, and the port is closed', async () => {
    const pids = service.workers().map(({ pid }) => pid);
    const folder = socketFolder();
    await service.stop();
    expect(pids.some(isAlive)).toBe(false);
    await expect(fetch(`${service.url}/livez`)).rejects.toThrow();
    expect(existsSync(folder)).toBe(false);
  });
});
