import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../../src/time/real-clock.ts';
import { eventually } from '../diagnostics.ts';
import { send } from '../sender.ts';
import { callApi, operatorKey, type TestService } from '../service.ts';
import { startProcess } from './process.ts';

const startMsMax = 120_000;

interface Worker {
  readonly place: number;
  readonly pid: number;
}

/** A supervisor and its workers, as users run them. */
export interface WorkersProcess extends TestService {
  readonly supervisorPid: number;
  output(): string;
  /** Those that accept requests now. */
  workers(): Worker[];
  /** All processes of workers, also those that start or stop. */
  processes(): number[];
  /** Waits until so many workers accept requests, and returns them. */
  whenRunning(count: number): Promise<Worker[]>;
  /** A new connection to that worker. Close it with `destroy`. */
  connectTo(worker: Worker): Promise<Agent>;
}

/** Resolves when all workers accept requests. */
export async function startWorkers(
  dataDir: string,
  workerCount: number,
  env: Record<string, string>,
): Promise<WorkersProcess> {
  const started = await startProcess(dataDir, { WORKERS: String(workerCount), ...env });
  const workers = () => accepting(started.output()).filter(({ pid }) => isAlive(pid));
  const whenRunning = (count: number) =>
    eventually(
      async () => workers(),
      (found) => found.length === count,
      startMsMax,
    );
  await whenRunning(workerCount);
  const supervisorPid = started.child.pid as number;
  return {
    url: started.url,
    operatorKey,
    clock: systemClock,
    databaseUrl: env.DATABASE_URL ?? '',
    supervisorPid,
    output: started.output,
    workers,
    processes: () => workerProcesses(supervisorPid),
    whenRunning,
    connectTo: (worker) => connectTo(started.url, worker),
    api: (method, path, body) => callApi(started.url, method, path, body),
    async stop() {
      await started.kill('SIGTERM');
    },
  };
}

/** Workers that have said in the log that they accept requests. */
function accepting(output: string): Worker[] {
  const lines = output.matchAll(/"worker":(\d+),"pid":(\d+),"msg":"worker accepts requests"/g);
  return [...lines].map(([, place, pid]) => ({ place: Number(place), pid: Number(pid) }));
}

/** The other child of a supervisor is its database. */
function workerProcesses(supervisorPid: number): number[] {
  const children = readFileSync(`/proc/${supervisorPid}/task/${supervisorPid}/children`, 'utf8');
  return children
    .split(' ')
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts'))
    .map(Number)
    .filter(isAlive);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that its parent has not noticed yet is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The system chooses the worker of a new connection, so this opens connections until one leads to the right worker. */
async function connectTo(url: string, { pid }: Worker): Promise<Agent> {
  for (;;) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // A worker that is being killed may still get the connection.
    await send(`${url}/livez`, 'GET', {}, '', agent).catch(() => {});
    // By then the connection is free for the next request.
    await systemClock.turn();
    const [socket] = Object.values(agent.freeSockets).flat();
    if (socket !== undefined && socketsOf(pid).has(serverInode(socket as Socket))) return agent;
    agent.destroy();
  }
}

/** The number by which the system knows the server's end of a connection. */
function serverInode({ localPort = 0 }: Socket): string {
  const remotePort = `:${localPort.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const ends = lines.map((line) => line.trim().split(/\s+/));
  return ends.find(([, , remote]) => remote?.endsWith(remotePort))?.[9] ?? '';
}

function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`);
    } catch {
      return '';
    }
  });
  return new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ''));
}
