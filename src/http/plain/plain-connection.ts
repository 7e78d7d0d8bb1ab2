import type { Socket } from 'node:net';
import type { Clock } from '../../time/clock.ts';
import { type Closing, plainAccepted, plainRejected } from '../answers.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';
import type { Reply } from './reply.ts';

export interface PlainConnectionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly take: (request: PlainRequest, reply: Reply) => void;
  /** Takes over a connection for good. */
  readonly toNode: (socket: Socket) => void;
  /** True while every response is the last of its connection. */
  readonly isStopping: () => boolean;
  /** Called once, when the connection is closed or Node's. */
  readonly onGone: (connection: PlainConnection) => void;
}

/** As long as Node waits for the first byte of a connection, and for the next request. */
const firstRequestMsMax = 10_000;
const nextRequestMsMax = 66_000;

/**
 * A connection on which every request so far came in one packet.
 *
 *   idle → busy    with such a request
 *   busy → idle    when it is answered. What arrives in between is read afterwards, so there is one request at a time
 *   idle → Node's  with anything else: Node's parser gets the packet and all that follow
 *   any  → closed  by the sender, by a time limit while idle, or by the response after which nothing can follow
 */
export class PlainConnection implements Reply {
  readonly #socket: Socket;
  readonly #deps: PlainConnectionDeps;
  #isBusy = false;
  /** The sender has sent all it will. It still gets its response. */
  #isHalfClosed = false;

  constructor(socket: Socket, deps: PlainConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    socket.setTimeout(firstRequestMsMax);
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
  }

  accepted(requestId: string, submissionId: string): void {
    this.#respond(plainAccepted(requestId, submissionId, this.#closing()));
  }

  rejected(requestId: string): void {
    this.#respond(plainRejected(requestId, this.#closing()));
  }

  close(): void {
    this.#socket.destroy();
  }

  closeIfIdle(): void {
    if (!this.#isBusy) this.#socket.destroy();
  }

  readonly #listeners: readonly (readonly [string, (packet: Buffer) => void])[] = [
    ['data', (packet) => this.#onPacket(packet)],
    ['end', () => this.#onEnd()],
    ['timeout', () => this.closeIfIdle()],
    ['error', () => this.close()],
    ['close', () => this.#deps.onGone(this)],
  ];

  #onPacket(packet: Buffer): void {
    const socket = this.#socket;
    if (this.#isBusy) {
      socket.pause();
      socket.unshift(packet);
      return;
    }
    // A sender that does not read its responses is Node's too.
    const request = socket.writableNeedDrain ? null : readPlainRequest(packet, socket);
    if (request === null) {
      this.#handOver(packet);
    } else {
      this.#isBusy = true;
      this.#deps.take(request, this);
    }
  }

  #onEnd(): void {
    this.#isHalfClosed = true;
    if (!this.#isBusy) this.#socket.destroySoon();
  }

  #closing(): Closing {
    return { isLast: this.#deps.isStopping(), at: this.#deps.clock.now() };
  }

  #respond(text: string): void {
    const socket = this.#socket;
    this.#isBusy = false;
    if (!socket.writable) return;
    socket.write(text, 'latin1');
    if (this.#isHalfClosed || this.#deps.isStopping()) socket.destroySoon();
    else if (socket.isPaused()) socket.resume();
    if (socket.timeout !== nextRequestMsMax) socket.setTimeout(nextRequestMsMax);
  }

  #handOver(packet: Buffer): void {
    const socket = this.#socket;
    for (const [event, listener] of this.#listeners) socket.off(event, listener);
    socket.setTimeout(0);
    this.#deps.onGone(this);
    socket.unshift(packet);
    this.#deps.toNode(socket);
  }
}
