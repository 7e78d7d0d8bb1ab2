import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What becomes of whoever sent a request, as far as the connection tells. */
export interface Caller {
  /** It sends nothing more: it may have left, or may still wait for its answer. */
  readonly hungUp: AbortSignal;
  /** The answer has been sent, or there is nobody left to send it to. */
  readonly ended: AbortSignal;
}

interface Connection {
  readonly hungUp: AbortSignal;
  readonly closed: AbortSignal;
}

// Requests that come one behind the other on a connection share its two listeners.
const connections = new WeakMap<Socket, Connection>();

export function callerOf(request: IncomingMessage, response: ServerResponse): Caller {
  const { hungUp, closed } = connectionOf(request.socket);
  const ended = new AbortController();
  const end = () => {
    closed.removeEventListener('abort', end);
    ended.abort('ended');
  };
  // A response that waits behind another one is not told when the connection closes.
  closed.addEventListener('abort', end);
  response.once('close', end);
  if (closed.aborted) end();
  return { hungUp, ended: ended.signal };
}

function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const hungUp = new AbortController();
  const closed = new AbortController();
  const hangUp = () => hungUp.abort('hung up');
  const close = () => {
    hangUp();
    closed.abort('closed');
  };
  socket.once('end', hangUp).once('close', close);
  if (socket.destroyed) close();
  else if (socket.readableEnded) hangUp();
  const connection = { hungUp: hungUp.signal, closed: closed.signal };
  connections.set(socket, connection);
  return connection;
}
