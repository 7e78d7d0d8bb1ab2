import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../time/clock.ts';
import { PlainConnection } from './plain-connection.ts';
import type { PlainRequest } from './plain-request.ts';
import type { Reply } from './reply.ts';

export interface PlainConnectionsDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly take: (request: PlainRequest, reply: Reply) => void;
}

/**
 * The connections of a server that Node's parser has not seen yet. Nearly all leads come in one packet and a plain form of
 * HTTP; reading just that takes a third of the time (docs/performance.md).
 */
export class PlainConnections {
  readonly #open = new Set<PlainConnection>();
  #isStopping = false;

  constructor(server: Server, { clock, take }: PlainConnectionsDeps) {
    const [toNode] = server.listeners('connection') as [(socket: Socket) => void];
    const deps = {
      clock,
      take,
      toNode: (socket: Socket) => toNode.call(server, socket),
      isStopping: () => this.#isStopping,
      onGone: (connection: PlainConnection) => void this.#open.delete(connection),
    };
    server.off('connection', toNode);
    server.on('connection', (socket) => void this.#open.add(new PlainConnection(socket, deps)));
  }

  /** From now on, every response is the last of its connection. */
  stopServing(): void {
    this.#isStopping = true;
  }

  closeIdle(): void {
    for (const connection of this.#open) connection.closeIfIdle();
  }

  closeAll(): void {
    for (const connection of this.#open) connection.close();
  }
}
