import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether the sender of a request is still there, as far as the connection shows. */
export interface Caller {
  /** They send nothing more: they may have left, or may still wait for the response. */
  readonly hungUp: AbortSignal;
  /** The response has been sent, or nobody is left to receive it. */
  readonly ended: AbortSignal;
}

interface Connection {
  readonly hungUp: AbortSignal;
  readonly closed: AbortSignal;
}

// All requests of a connection share its two listeners.
const connections = new WeakMap<Socket, Connection>();

export function callerOf(request: IncomingMessage, response: ServerResponse): Caller {
  const { hungUp, closed } = connectionOf(request.socket);
  const ended = new AbortController();
  const end = () => {
    closed.removeEventListener('abort', end);
    ended.abort('ended');
  };
  // A pipelined response that waits for another one gets no 'close' event when the connection closes.
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
