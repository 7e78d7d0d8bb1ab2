import { closeSync, openSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname, join, relative } from 'node:path';
import type { DiskLock } from './disk.ts';

/**
 * Takes the lock at `path`; null while another process holds it. The lock is a listening socket, which the kernel closes
 * however the process ends: a kill -9 leaves only a file that nobody listens on.
 */
export async function takeSocketLock(path: string): Promise<DiskLock | null> {
  const address = addressOf(path);
  const server = await takeOver(address.path).catch((error) => {
    address.close();
    throw error;
  });
  if (server === null) address.close();
  return server && { release: () => release(server, address) };
}

async function takeOver(path: string): Promise<Server | null> {
  const server = await listen(path);
  if (server !== null || (await isAnswered(path))) return server;
  rmSync(path, { force: true });
  return listen(path);
}

async function release(server: Server, address: Address): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  address.close();
}

interface Address {
  readonly path: string;
  close(): void;
}

const addressBytesMax = 100;

/** Socket paths have a short maximum length. A longer one is used relative to the current folder, or through a file descriptor. */
function addressOf(path: string): Address {
  for (const name of [path, relative(process.cwd(), path)])
    if (Buffer.byteLength(name) <= addressBytesMax) return { path: name, close: () => {} };
  if (process.platform !== 'linux')
    throw new Error(`${path} is too long for a socket. Choose a folder with a shorter path.`);
  const handle = openSync(dirname(path), 'r');
  return { path: join('/proc/self/fd', String(handle), basename(path)), close: () => closeSync(handle) };
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    // Exclusive: in a worker, node:cluster would otherwise open the socket in the supervisor, for all workers to share.
    server.listen({ path, exclusive: true }, () => resolve(server.unref()));
  });
}

/** Only a refused connection proves that nobody listens: a process that is paused or too busy to answer still holds its lock. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
    socket.once('close', () => socket.destroy());
  });
}
