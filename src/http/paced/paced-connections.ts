import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyBytesMax } from '../../domain/lead/lead.ts';
import type { Clock } from '../../time/clock.ts';
import { TurnQueue } from '../../time/turn-queue.ts';

/** A connection of Node's HTTP server, with Node's internal properties. */
interface NodeSocket extends Socket {
  /** `incoming` is the last request whose head was parsed; null once it is complete and answered. */
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
  /** The next response to send; null when there is none. */
  readonly _httpMessage?: ServerResponse | null;
  /** True while the sender does not read its responses. Node resumes the connection itself. */
  readonly _paused?: boolean;
  /** Ours: the first packet of the connection, until all of it is parsed. */
  packet?: Buffer | null;
}

/** Up to 50 requests, or 200 chunks of a body. Node's parser needs a millisecond for as many. */
const sliceBytesMin = 1024;
/** Slices of large chunks grow to this size, and not further, because small chunks may follow. */
const sliceBytesMax = 16 * 1024;
/** The chunks of a slice are large if at most one byte of so many is framing. */
const bytesPerFramingByteMin = 16;
/** How long the bytes of one connection are parsed without a pause; the last slice may exceed it. */
const parseMsMax = 0.5;
const emptyLine = '\r\n\r\n';
/** Chunk sizes, chunk extensions and trailers may have as many bytes as the data, and these in addition. */
const framingBytesMax = bodyBytesMax;

interface PaceDeps {
  readonly server: Server;
  readonly clock: Pick<Clock, 'turn' | 'monotonic'>;
  readonly line: TurnQueue<PacedConnection>;
}

/**
 * Makes Node's parser get what a connection sends in slices. A packet of 64 KB can have thousands of requests or chunks,
 * which would all be read, and kept, before anyone else has a turn.
 */
export function paceConnections(server: Server, clock: PaceDeps['clock']): void {
  const [toNode] = server.listeners('connection') as [(socket: Socket) => void];
  const take = (connection: PacedConnection) => connection.takeTurn();
  const line = new TurnQueue<PacedConnection>({ clock, isLarge: () => true, take, largeMsMax: parseMsMax });
  server.off('connection', toNode);
  server.on('connection', (socket) => {
    toNode.call(server, socket);
    void new PacedConnection(socket, { server, clock, line });
  });
}

/**
 * A connection that Node's parser reads.
 *
 *   open    → waiting  with bytes behind a request that is not answered, a packet that takes long, more of a body in small
 *                      chunks, or anything while others wait for their turn. The rest stays in the socket
 *   waiting → open     when its requests are answered and, after that, its turn has come
 *   any     → over     when the connection is closed or about to be. The rest is read and discarded
 */
class PacedConnection {
  readonly #socket: NodeSocket;
  readonly #deps: PaceDeps;
  readonly #parse: (bytes: Buffer) => void;
  #isItsTurn = false;
  #isWaiting = false;
  #isCutOff = false;
  /** The request whose body is arriving, and what came since the slice with its head: in all, and, if chunked, as data. */
  #request: IncomingMessage | null = null;
  #bodyBytes = 0;
  #dataBytes = 0;
  /** More than the minimum after a slice that was nearly all data. */
  #sliceBytes = sliceBytesMin;

  constructor(socket: NodeSocket, deps: PaceDeps) {
    this.#socket = socket;
    this.#deps = deps;
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
    this.#parse = parse;
    socket.off('data', parse);
    // Node's own last listeners of these stop and start the network. It removes them once others listen to the bytes.
    const onPause = socket.listeners('pause').at(-1) as () => void;
    const onResume = socket.listeners('resume').at(-1) as () => void;
    socket.on('data', (packet) => this.#onPacket(packet));
    socket.on('pause', onPause).on('resume', onResume);
  }

  takeTurn(): void {
    const socket = this.#socket;
    this.#isWaiting = false;
    this.#isItsTurn = true;
    if (this.#mayParse()) socket.read();
    this.#isItsTurn = false;
    if (socket.readableLength === 0 || this.#isOver) socket.resume();
    else this.#wait();
  }

  get #isOver(): boolean {
    const { writable, parser } = this.#socket;
    return this.#isCutOff || !writable || parser == null;
  }

  get #isAwaitingResponse(): boolean {
    return this.#socket._httpMessage != null && this.#unfinished() === null;
  }

  #unfinished(): IncomingMessage | null {
    const incoming = this.#socket.parser?.incoming ?? null;
    return incoming === null || incoming.complete ? null : incoming;
  }

  #onPacket(packet: Buffer): void {
    const socket = this.#socket;
    if (this.#isOver) return;
    if (socket.packet === undefined) socket.packet = socket.bytesRead === packet.length ? packet : null;
    const parsed = this.#isItsTurn || this.#isOpen() ? this.#parseSome(packet) : 0;
    if (parsed < packet.length) {
      socket.pause();
      socket.unshift(packet.subarray(parsed));
      if (!this.#isItsTurn) this.#wait();
    } else if (socket.readableLength === 0) {
      socket.packet = null;
    }
  }

  /** Nothing of it waits, and nobody else: its bytes need not wait for a turn. */
  #isOpen(): boolean {
    const isInSmallChunks = isChunked(this.#unfinished()) && this.#sliceBytes === sliceBytesMin;
    return !this.#isWaiting && !isInSmallChunks && this.#deps.line.isIdle;
  }

  #mayParse(): boolean {
    return !this.#isOver && !this.#isAwaitingResponse && this.#socket._paused !== true;
  }

  /** How many bytes were parsed: all, or a slice at least if any may be parsed. */
  #parseSome(packet: Buffer): number {
    const { clock } = this.#deps;
    const endsAt = clock.monotonic() + parseMsMax;
    let parsed = 0;
    while (parsed < packet.length && this.#mayParse()) {
      const slice = this.#sliceOf(packet.subarray(parsed));
      this.#parseSlice(slice);
      parsed += slice.length;
      if (clock.monotonic() >= endsAt) break;
    }
    return parsed;
  }

  #wait(): void {
    if (this.#isWaiting || this.#socket._paused === true) return;
    this.#isWaiting = true;
    this.#joinLine();
  }

  #joinLine(): void {
    const next = this.#socket._httpMessage ?? null;
    if (next !== null && this.#isAwaitingResponse) next.once('close', () => this.#joinLine());
    else this.#deps.line.add(this);
  }

  /** A head without its body, which is then not split; the rest of a body whose length is known; or as much as usual. */
  #sliceOf(bytes: Buffer): Buffer {
    const request = this.#unfinished();
    const declared = Number(request?.headers['content-length'] ?? 0);
    const slice = bytes.subarray(0, Math.max(this.#sliceBytes, declared - this.#bodyBytes));
    const headEnd = request !== null || slice.length === bytes.length ? -1 : slice.indexOf(emptyLine);
    return headEnd === -1 ? slice : slice.subarray(0, headEnd + emptyLine.length);
  }

  #parseSlice(slice: Buffer): void {
    const dataBefore = this.#dataBytes;
    this.#parse(slice);
    const request = this.#unfinished();
    if (request !== this.#request || request === null) {
      this.#begin(request);
      return;
    }
    this.#bodyBytes += slice.length;
    if (!isChunked(request)) return;
    const framingBytes = slice.length - (this.#dataBytes - dataBefore);
    const isLarge = framingBytes * bytesPerFramingByteMin <= slice.length;
    this.#sliceBytes = isLarge ? Math.min(2 * this.#sliceBytes, sliceBytesMax) : sliceBytesMin;
    this.#limitFraming();
  }

  #begin(request: IncomingMessage | null): void {
    this.#request = request;
    this.#bodyBytes = 0;
    this.#dataBytes = 0;
    this.#sliceBytes = sliceBytesMin;
    if (request === null || !isChunked(request)) return;
    const push = request.push.bind(request);
    request.push = (data: Buffer | null) => {
      this.#dataBytes += data?.length ?? 0;
      return push(data);
    };
  }

  #limitFraming(): void {
    if (this.#isCutOff || this.#bodyBytes <= 2 * this.#dataBytes + framingBytesMax) return;
    this.#isCutOff = true;
    // As Node reports chunk extensions that are too long.
    const error = Object.assign(new Error('Chunk framing overflow'), { code: 'CHUNK_FRAMING_OVERFLOW' });
    this.#deps.server.emit('clientError', error, this.#socket);
  }
}

function isChunked(request: IncomingMessage | null): boolean {
  return request?.headers['transfer-encoding'] !== undefined;
}
