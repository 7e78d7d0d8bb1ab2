import { argon2Sync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

export interface Argon2Request {
  readonly message: string;
  readonly nonce: Uint8Array;
  readonly tagLength: number;
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', (request: Argon2Request) => {
  parentPort?.postMessage(argon2Sync('argon2id', request));
});
