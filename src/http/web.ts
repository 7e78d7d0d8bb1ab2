import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest } from './answers.ts';
import { nextRequestId } from './request-id.ts';

/** `incoming` is for what a web request does not tell: who is at the other end. */
export type WebHandler = (request: Request, incoming: IncomingMessage) => Response | Promise<Response>;

/**
 * Serves a handler of web requests on Node's HTTP. It makes the very calls that the ingest paths make: whatever else
 * was done to Node's requests and responses would make its code slower for leads too, because V8 compiles
 * it for all the shapes it has seen (docs/performance.md).
 */
export function serveWeb(handle: WebHandler, bodyBytesMax: number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    receiveBody(request, bodyBytesMax, (body) => {
      respond(handle, request, response, body).catch(() => request.socket.destroy());
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

async function respond(
  handle: WebHandler,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | null,
): Promise<void> {
  const incoming = webRequest(request, body);
  const outgoing = incoming === null ? badRequest(nextRequestId()) : await handle(incoming, request);
  response.writeHead(outgoing.status, headerList(outgoing.headers));
  if (outgoing.body === null || request.method === 'HEAD') response.end();
  else await send(outgoing.body, response);
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

/** As fast as the receiver reads, and no longer than it is there. */
async function send(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const gone = once(response, 'close');
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (response.destroyed) {
      await reader.cancel();
      return;
    }
    if (!response.write(value)) await Promise.race([once(response, 'drain'), gone]);
  }
  response.end();
}
