import cluster from 'node:cluster';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { HostLink } from '../../ingest/siblings/link.ts';
import { createLogger } from '../../telemetry/logger.ts';
import type { Clock } from '../../time/clock.ts';
import { within } from '../../time/within.ts';
import type { Host } from '../host.ts';
import { aborted, surviveErrors } from '../process/process-life.ts';
import { explainStartError } from '../process/start-error.ts';
import { onSignal } from '../process/stay-alive.ts';
import { preloadLibrary, prepareBuilds, type Run, readyOnce } from '../run.ts';
import { type Service, startService } from '../service.ts';
import { type Assignment, type Listening, topics } from './assignment.ts';
import { createLink } from './link.ts';

const stopTimeoutMs = 10_000;
const lingerMs = 2_000;
const retiring = 'retiring';
// Longer than the supervisor waits for other workers.
const directoryMsMax = 6_000;

/** One of several workers: asks the supervisor for its place → starts → waits → stops. */
export async function runWorker(config: Config, { clock, whenReady }: Run): Promise<void> {
  const log = createLogger(config.logLevel);
  surviveErrors(log);
  const link = createLink(process);
  const stopping = stopWithSupervisor(link);
  // Before the assignment, because messages may follow it immediately.
  const siblings = followSiblings(link, clock);
  const assignment = (await link.ask(topics.assignment, null)) as Assignment;
  const host = hostOf(assignment, siblings);
  const { isFirst } = host;
  const { databaseUrl } = assignment;
  let service: Service | null = null;
  try {
    const none = Promise.resolve(null);
    const builds = isFirst ? prepareBuilds(config) : { webApp: none, docsSite: none, sdk: none };
    if (isFirst) await preloadLibrary(config);
    service = await startService({ config, databaseUrl, clock, log, host, ...builds });
    const listening: Listening = { port: service.port, socketPath: host.ownSocketPath };
    link.tell(topics.listening, listening);
    const stopped = aborted(stopping);
    if (assignment.isWelcoming)
      await Promise.race([
        readyOnce({ config, service, databaseUrl, stopping }, { clock, whenReady }),
        stopped,
      ]);
    await stopped;
  } catch (error) {
    throw explainStartError(error, config);
  } finally {
    // A part that hangs must not keep the process alive: everything answered with 202 is already committed.
    const cancel = clock.deadline(stopTimeoutMs, () => process.exit(1));
    await service?.stop(stopping.reason === retiring ? lingerMs : 0);
    cancel();
    // The open channel would keep the process alive.
    if (process.connected) process.disconnect();
    // The supervisor was killed, and cannot remove it itself.
    else if (isFirst) rmSync(assignment.socketDir, { recursive: true, force: true });
  }
}

/** Other signals reach all processes from a terminal, but only the supervisor decides what to do. */
function stopWithSupervisor(link: HostLink): AbortSignal {
  const stopping = new AbortController();
  onSignal('SIGTERM', () => stopping.abort());
  process.on('disconnect', () => stopping.abort());
  link.onTell(topics.retire, () => stopping.abort(retiring));
  // Otherwise node:cluster ends this process in the middle of its requests when the supervisor is killed.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  return stopping.signal;
}

type Siblings = Pick<Host, 'link' | 'firstSocketPath' | 'directoryChanged' | 'announceChange' | 'onChange'>;

/** What workers tell each other through the supervisor. */
function followSiblings(link: HostLink, clock: Clock): Siblings {
  let firstSocketPath: string | null = null;
  // Before the first read of the directory, there is nothing to read again.
  let readDirectory = async () => {};
  link.onTell(topics.firstSocket, (path) => {
    firstSocketPath = path as string;
  });
  link.onAsk(topics.readDirectory, () => readDirectory());
  link.onAsk(topics.ping, () => null);
  return {
    link,
    firstSocketPath: () => firstSocketPath,
    async directoryChanged() {
      await within(clock, directoryMsMax, link.ask(topics.directoryChanged, null));
    },
    announceChange: () => link.tell(topics.directoryChanged, null),
    onChange(read) {
      readDirectory = read;
    },
  };
}

function hostOf(assignment: Assignment, siblings: Siblings): Host {
  const { place, workerCount, sharedPort, socketDir } = assignment;
  const isFirst = place === 1;
  return {
    ...siblings,
    workerCount,
    isFirst,
    sharedPort,
    firstSocketPath: () => siblings.firstSocketPath() ?? assignment.firstSocketPath,
    // A name that no worker had before: the one that this worker replaces may still be using its own.
    ownSocketPath: isFirst ? join(socketDir, `${process.pid}.sock`) : null,
  };
}
