import { closeSync, openSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname, join, relative } from 'node:path';
import type { DiskLock } from './disk.ts';

/**
 * The lock at `path`, or null while another process holds it. It ends with its process: it is a listening socket, which the
 * kernel closes whatever way the process ends, so that a kill -9 leaves only a file nobody answers on.
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

/** Addresses of sockets are short by tradition. A longer one is reached from here, or through the folder's handle. */
function addressOf(path: string): Address {
  for (const name of [path, relative(process.cwd(), path)])
    if (Buffer.byteLength(name) <= addressBytesMax) return { path: name, close: () => {} };
  if (process.platform !== 'linux')
    throw new Error(`${path} is too long for a socket: choose a folder with a shorter path.`);
  const handle = openSync(dirname(path), 'r');
  return { path: join('/proc/self/fd', String(handle), basename(path)), close: () => closeSync(handle) };
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

/** Only a refusal proves that nobody is there: a process that is stopped, or too busy to answer, still holds its lock. */
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
