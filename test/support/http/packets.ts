import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

/** A connection without a network: each packet reaches the server unchanged and without delay. */
export class PacketConnection extends Duplex {
  bytesRead = 0;
  bytesWritten = 0;
  received = '';
  /** Leads that wait for their response, whoever read them. */
  awaited = 0;
  timeout = 0;
  /** The requests whose headers the server could read. */
  readonly requests: IncomingMessage[] = [];
  declare readonly _httpMessage?: ServerResponse | null;

  send(packet: Buffer | undefined): void {
    if (packet === undefined || this.destroyed) return;
    this.bytesRead += packet.length;
    this.push(packet);
  }

  hangUp(): void {
    if (!this.destroyed) this.push(null);
  }

  /** True while a complete request waits for its response, or bytes wait until they are read. */
  get isAwaited(): boolean {
    if (this.writableEnded || this.destroyed) return false;
    return this.awaited > 0 || this.readableLength > 0 || this._httpMessage?.req.complete === true;
  }

  /** These two are what a socket has besides. Nothing here waits, so nothing times out. */
  setTimeout(ms: number): this {
    this.timeout = ms;
    return this;
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytesWritten += chunk.length;
    this.received += chunk.toString('latin1');
    done();
  }
}

subscribe('http.server.request.start', (message) => {
  const { request, socket } = message as { request: IncomingMessage; socket: unknown };
  if (socket instanceof PacketConnection) socket.requests.push(request);
});
