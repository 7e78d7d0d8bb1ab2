import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
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
  const guard = await guardOf(path);
  if (guard === null) return null;
  try {
    const server = await listen(path);
    if (server !== null || (await isAnswered(path))) return server;
    rmSync(path, { force: true });
    return await listen(path);
  } finally {
    guard.close();
  }
}

/**
 * Removing the file of a dead process and creating one's own are two steps. Only the process with the guard may take them,
 * and only it may create the file at all: otherwise another one could remove a file that was created since it looked. Null
 * while another process has the guard. Linux can name a socket that is no file, so this one leaves nothing behind.
 * Elsewhere there is no guard.
 */
async function guardOf(path: string): Promise<{ close(): void } | null> {
  if (process.platform !== 'linux') return { close() {} };
  const { dev, ino } = statSync(dirname(path));
  return listen(`\0leadgate ${dev} ${ino} ${basename(path)}`);
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
    server.once('error', (error: NodeJS.ErrnoException) => {
      // For a socket in a folder that does not exist, Node reports EACCES.
      const code = path.startsWith('\0') || existsSync(dirname(path)) ? error.code : 'ENOENT';
      if (code === 'EADDRINUSE') resolve(null);
      else reject(Object.assign(error, { code }));
    });
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
