import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The number of packets of the body. */
  readonly packets: number;
}

/** What a sender sees: a response, or a connection that closes. */
export interface SeenAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * The parts of a request and its response that the ingest path uses; Node's own need a socket. `onEnd` is called once, with
 * null for a connection that was closed without a response.
 */
export function exchange(sent: SentRequest, onEnd: (answer: SeenAnswer | null) => void) {
  let isEnded = false;
  const end = (answer: SeenAnswer | null) => {
    if (isEnded) return;
    isEnded = true;
    onEnd(answer);
  };
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const request = Object.assign(new EventEmitter(), {
    method: 'POST',
    headers,
    rawHeaders: Object.entries(sent.headers).flat(),
    socket: { destroy: () => end(null) },
    complete: false,
    resume() {},
  });
  let status = 0;
  let contentType = '';
  const response = {
    shouldKeepAlive: true,
    writeHead(code: number, list: readonly string[]) {
      status = code;
      contentType = list[list.indexOf('Content-Type') + 1] ?? '';
    },
    end: (body: string) => end({ status, contentType, body }),
  };
  return {
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    /** Call it for each packet. */
    deliver(packet: number) {
      const size = Math.ceil(sent.body.length / sent.packets);
      request.emit('data', sent.body.subarray(packet * size, (packet + 1) * size));
      if (packet < sent.packets - 1) return;
      request.complete = true;
      request.emit('end');
    },
  };
}
