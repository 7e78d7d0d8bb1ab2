import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ephemeral port range, from which another program might get the same port.
const portMin = 20_000;
const portMax = 30_000;

/** Nobody may listen yet on a port that was given away. */
const given = new Set<number>();

/** A port that stays free while the process that listens on it restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    server.close();
    if (isFree) return port;
  }
}
