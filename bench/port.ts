import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range from which systems hand out ports, or a program that starts meanwhile may be given ours.
const portMin = 20_000;
const portMax = 30_000;

/** A port that stays ours over restarts of whatever listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    server.close();
    if (isFree) return port;
  }
}
