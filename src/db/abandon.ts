import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Lets go of a connection at once. `end` alone would wait for a server that may be the very thing that does not
 * answer, and hold its socket for as long.
 */
export function abandon(client: pg.Client): void {
  client.end().catch(() => {});
  const { connection } = client as unknown as { readonly connection?: { readonly stream?: Socket } };
  connection?.stream?.destroy();
}
