import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DialTarget, Egress } from '../egress.ts';

/** Options of a request whose connection leads to a checked address. */
export interface PinnedRequest extends ClientRequestArgs {
  readonly pinned: DialTarget & { readonly host: string };
}

// Shorter than the five seconds after which many servers close an idle connection.
const idleMsMax = 4_000;
const idlePerTargetMax = 16;

/**
 * Keeps connections open between deliveries. A connection is only used again for the same host at the same address, and
 * every delivery checks its address first: so no connection outlives the permission to use its address.
 */
export class PinnedAgent extends Agent {
  readonly #egress: Egress;

  constructor(egress: Egress) {
    super({ keepAlive: true, timeout: idleMsMax, maxFreeSockets: idlePerTargetMax });
    this.#egress = egress;
  }

  override getName(options?: object): string {
    const { host, address, port, serverName } = (options as PinnedRequest).pinned;
    return `${host} ${address} ${port} ${serverName === null ? 'http' : 'https'}`;
  }

  override createConnection(options: object): Duplex {
    return this.#egress.dial((options as PinnedRequest).pinned);
  }
}
