import { connect } from 'node:net';

/** Sends bytes as they are and collects everything until the connection closes or nothing comes any more. */
export function exchange(url: string, bytes: string | Buffer, quietMs = 300): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(quietMs, finish);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', finish).on('error', finish);
  });
}

/** Sends a request, ends this side of the connection, and listens until the other side ends too. */
export function spokenAndEnded(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.end(request));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received)).on('error', () => resolve(received));
  });
}

/** The status codes of all answers in what a connection received. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
}
