import { pbkdf2Sync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { beginsWithZeroBits, workBytes } from '../../../domain/browser/work.ts';
import type { Work } from './work-thread.ts';

// Leads on the main thread come first. Only Linux sets the priority per thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', ({ nonce, salt, cost, bits, solution }: Work) => {
  // The synchronous function runs on this thread, and not in the pool that hashes passwords.
  const derived = pbkdf2Sync(nonce + solution, salt, cost, workBytes, 'sha256');
  parentPort?.postMessage(beginsWithZeroBits(derived, bits));
});
