import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../time/clock.ts';
import { badRequest } from './answers.ts';
import { type Caller, callerOf } from './caller.ts';
import { nextRequestId } from './request-id.ts';

/** For what a web request does not tell: who is at the other end, and whether they still are. */
interface WebConnection {
  readonly incoming: IncomingMessage;
  readonly caller: Caller;
}

export type WebHandler = (request: Request, connection: WebConnection) => Response | Promise<Response>;

export interface WebLimits {
  readonly bodyBytesMax: number;
  /** A reader that takes nothing of its answer for this long is cut off. */
  readonly stallMsMax: number;
  readonly clock: Clock;
}

type Patience = Pick<WebLimits, 'stallMsMax' | 'clock'>;

/**
 * Serves a handler of web requests on Node's HTTP. It makes the very calls that the ingest paths make: whatever else
 * was done to Node's requests and responses would make its code slower for leads too, because V8 compiles
 * it for all the shapes it has seen (docs/performance.md).
 */
export function serveWeb(handle: WebHandler, { bodyBytesMax, ...patience }: WebLimits) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    receiveBody(request, bodyBytesMax, (body) => {
      const { socket } = request;
      answer(handle, request, response, body, patience).catch(() => socket.destroy());
    });
  };
}

/** At most one byte more than allowed is kept: enough for the handler to see that it is too much. */
function receiveBody(
  request: IncomingMessage,
  bytesMax: number,
  onReceived: (body: Buffer | null) => void,
): void {
  if (request.method === 'GET' || request.method === 'HEAD') {
    request.resume();
    onReceived(null);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isDone = false;
  const finish = () => {
    if (isDone) return;
    isDone = true;
    onReceived(Buffer.concat(chunks).subarray(0, bytesMax + 1));
  };
  request.on('data', (chunk: Buffer) => {
    if (bytes <= bytesMax) chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) finish();
  });
  request.on('end', finish);
}

async function answer(
  handle: WebHandler,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | null,
  patience: Patience,
): Promise<void> {
  const caller = callerOf(request, response);
  const asked = webRequest(request, body);
  const outgoing =
    asked === null ? badRequest(nextRequestId()) : await handle(asked, { incoming: request, caller });
  response.writeHead(outgoing.status, headerList(outgoing.headers));
  if (outgoing.body === null || request.method === 'HEAD') response.end();
  else await send(outgoing.body, response, caller, patience);
}

/** Null when the target or a header is nothing that the web knows. */
function webRequest(request: IncomingMessage, body: Buffer | null): Request | null {
  try {
    const headers = new Headers();
    const list = request.rawHeaders;
    for (let i = 0; i < list.length; i += 2) headers.append(list[i] as string, list[i + 1] as string);
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    return new Request(url, { method: request.method ?? 'GET', headers, body: body && new Uint8Array(body) });
  } catch {
    return null;
  }
}

function headerList(headers: Headers): string[] {
  const list: string[] = [];
  // Each cookie is an entry of its own.
  for (const [name, value] of headers) list.push(name, value);
  return list;
}

/** As fast as the receiver reads, and no longer than it is there and does so. */
async function send(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  { ended }: Caller,
  patience: Patience,
): Promise<void> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const isTaken = !ended.aborted && (response.write(value) || (await drained(response, ended, patience)));
    if (isTaken) continue;
    await reader.cancel();
    if (!ended.aborted) throw new Error('The receiver takes nothing of its answer.');
    return;
  }
  response.end();
}

/** False when nobody is there any more, or nothing was taken in time. */
function drained(
  response: ServerResponse,
  ended: AbortSignal,
  { stallMsMax, clock }: Patience,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isDrained: boolean) => {
      cancel();
      response.off('drain', onDrain);
      ended.removeEventListener('abort', onEnd);
      resolve(isDrained);
    };
    const onDrain = () => settle(true);
    const onEnd = () => settle(false);
    const cancel = clock.deadline(stallMsMax, onEnd);
    response.once('drain', onDrain);
    ended.addEventListener('abort', onEnd);
  });
}
