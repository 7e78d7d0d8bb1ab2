import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError } from './error.ts';

/**
 * One service at a time may own a data directory. The lock is a listening socket: the kernel closes it with
 * the process, so that a kill -9 leaves only a file nobody answers on, which the next start removes.
 */
export interface DirectoryLock {
  /** A private folder with a short path, for sockets: the paths of sockets may have about 100 characters. */
  readonly socketDir: string;
  release(): Promise<void>;
}

const attemptsMax = 20;
const attemptPauseMs = 50;

export async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  const socketDir = privateSocketDir(dataDir);
  const path = join(socketDir, 'owner');
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const server = await listen(path);
    if (server !== null) return { socketDir, release: () => release(server, socketDir) };
    if (await isAnswered(path)) {
      throw new EmbeddedError(
        `${dataDir} is in use by another Leadgate. Stop that one, or give this one its own DATA_DIR.`,
      );
    }
    rmSync(path, { force: true });
    await sleep(attemptPauseMs);
  }
  throw new EmbeddedError(`Could not lock ${dataDir} through ${path}. Remove that file and start again.`);
}

function privateSocketDir(dataDir: string): string {
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  const dir = join(tmpdir(), `leadgate-${name}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(dir);
  const self = process.getuid?.();
  // As root the folder belongs to the database's user; anybody else's folder must not be trusted.
  if ((self !== 0 && self !== undefined && uid !== self) || (mode & 0o077) !== 0) {
    throw new EmbeddedError(
      `${dir} belongs to somebody else or is open to others. Remove it and start again.`,
    );
  }
  return dir;
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(path, () => resolve(server.unref()));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}

async function release(server: Server, socketDir: string): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  try {
    rmdirSync(socketDir);
  } catch {
    // Somebody else owns it by now.
  }
}
