import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { JoinedBytes } from '../domain/bytes/joined-bytes.ts';
import type { Clock } from '../time/clock.ts';
import { badRequest, internalError } from './answers.ts';
import { type Caller, callerOf } from './caller.ts';
import { nextRequestId } from './request-id.ts';

/** What a web request cannot say: who sent it, and whether they are still connected. */
interface WebConnection {
  readonly incoming: IncomingMessage;
  readonly caller: Caller;
}

export type WebHandler = (request: Request, connection: WebConnection) => Response | Promise<Response>;

export interface WebLimits {
  readonly bodyBytesMax: number;
  /** A reader that takes none of its response for this long is disconnected. */
  readonly stallMsMax: number;
  readonly clock: Clock;
  /** A handler failed with something that it does not handle itself. */
  onFailure(error: unknown, requestId: string): void;
}

/** Serves a handler of web requests on Node's HTTP. */
export function serveWeb(handle: WebHandler, limits: WebLimits) {
  const serve = async (asked: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    const caller = callerOf(incoming, outgoing);
    const body = await receiveBody(incoming, limits.bodyBytesMax);
    const request = nativeRequest(asked, body);
    if (request === null) return badRequest(nextRequestId());
    const response = await handled(() => handle(request, { incoming, caller }), limits);
    if (response.body === null) return response;
    const isHead = incoming.method === 'HEAD';
    if (isHead) await response.body.cancel();
    return new Response(isHead ? null : paced(response.body, incoming, caller, limits), response);
  };
  const listener = getRequestListener((asked, bindings) => serve(asked, bindings as HttpBindings), {
    // For requests without a Host header.
    hostname: 'localhost',
    // Everything else in the process keeps Node's own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError ? badRequest(nextRequestId()) : new Response(null, { status: 500 }),
  });
  return (request: IncomingMessage, response: ServerResponse): void => void listener(request, response);
}

async function handled(handle: () => Response | Promise<Response>, limits: WebLimits): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    const requestId = nextRequestId();
    limits.onFailure(error, requestId);
    return internalError(requestId);
  }
}

/** Keeps at most one byte more than allowed: enough for the handler to see that the body is too large. */
async function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const body = new JoinedBytes();
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    body.add(chunk);
    if (body.length > bytesMax) break;
  }
  // The rest is read and discarded.
  request.resume();
  return body.join().subarray(0, bytesMax + 1);
}

/** The library's own requests only work where it has replaced the global classes. Null for what the web forbids, such as TRACE. */
function nativeRequest({ url, method, headers }: Request, body: Buffer | null): Request | null {
  try {
    return new Request(url, { method, headers, body: body && new Uint8Array(body) });
  } catch {
    return null;
  }
}

/** Passes on each chunk when the reader asks for it. Cuts the connection when the reader stalls or the source fails. */
function paced(
  body: ReadableStream<Uint8Array>,
  { socket }: IncomingMessage,
  { ended }: Caller,
  { stallMsMax, clock }: WebLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let cancelDeadline = () => {};
  const stop = () => {
    cancelDeadline();
    reader.cancel().catch(() => {});
  };
  if (ended.aborted) stop();
  else ended.addEventListener('abort', stop);
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    cancelDeadline();
    try {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      cancelDeadline = clock.deadline(stallMsMax, () => socket.destroy());
    } catch {
      socket.destroy();
    }
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
