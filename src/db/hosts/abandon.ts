import type { Socket } from 'node:net';
import type pg from 'pg';

/** Internals of `pg`. */
interface Inside {
  readonly _connected?: boolean;
  readonly connection?: { readonly stream?: Socket };
}

/**
 * Drops a connection immediately. `end` alone would wait for the server, which may be hanging, and keep the socket open.
 * Before the connection is established, `end` would also leave a pending `connect` waiting forever; destroying the socket
 * makes it fail.
 */
export function abandon(client: pg.Client): void {
  const { _connected, connection } = client as unknown as Inside;
  if (_connected) client.end().catch(() => {});
  connection?.stream?.destroy();
}
