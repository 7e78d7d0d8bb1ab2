import { existsSync, writeFileSync } from 'node:fs';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ThreadRequest } from '../../src/ingest/heavy/messages.ts';

/** The worker of the heavy thread, which certain bodies kill: always, or only the first time. */
const port = parentPort as MessagePort;
const on = port.on.bind(port);
const mortalOn = (event: string, listener: (request: ThreadRequest) => void) =>
  on(event, (request: ThreadRequest) => {
    dieOf(Buffer.from(request.body).toString());
    listener(request);
  });
Object.assign(port, { on: mortalOn });

function dieOf(text: string): void {
  if (text.includes('"die always"')) process.exit(1);
  const once = /"die once, and leave (?<file>[^"]+)"/.exec(text)?.groups?.file;
  if (once === undefined || existsSync(once)) return;
  writeFileSync(once, '');
  process.exit(1);
}

await import('../../src/ingest/heavy/heavy-worker.ts');
