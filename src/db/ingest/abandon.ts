import type { Socket } from 'node:net';
import type pg from 'pg';

/** What pg keeps to itself. */
interface Inside {
  readonly _connected?: boolean;
  readonly connection?: { readonly stream?: Socket };
}

/**
 * Lets go of a connection at once. `end` alone would wait for a server that may be the very thing that does not
 * answer, and hold its socket for as long. Before there is a connection it would also leave whoever waits for one
 * waiting for ever; a socket that breaks tells them.
 */
export function abandon(client: pg.Client): void {
  const { _connected, connection } = client as unknown as Inside;
  if (_connected) client.end().catch(() => {});
  connection?.stream?.destroy();
}
