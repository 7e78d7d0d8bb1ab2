import { subscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Sends bytes as they are. Ends its side of the connection after the expected number of responses and then reads until the
 * service closes too, so that even a late extra response is seen.
 */
export function exchange(url: string, bytes: string | Buffer, answers = 1): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (wholeAnswersIn(received) >= answers) socket.end();
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
}

/** Sends a request, ends its side of the connection, and reads until the service closes too. */
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

/** The service's sockets, by the port of the client. */
const accepted = new Map<number, Socket>();
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket };
  const { remotePort } = socket;
  if (remotePort === undefined) return;
  accepted.set(remotePort, socket);
  socket.once('close', () => accepted.delete(remotePort));
});

/**
 * Sends packets to a service in this process, each after the service has read the previous one. Then ends its side of the
 * connection and reads until the service closes too.
 */
export function speakInPackets(url: string, packets: readonly Buffer[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, async () => {
      const { localPort } = socket;
      let sent = 0;
      for (const packet of packets) {
        if (socket.writable) socket.write(packet);
        sent += packet.length;
        while (socket.writable && (accepted.get(localPort as number)?.bytesRead ?? 0) < sent)
          await nextTurn();
      }
      socket.end();
    }).setNoDelay();
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
}

/** The status codes of all responses that a connection received. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
}

/** The number of complete responses; "100 Continue" does not count. */
function wholeAnswersIn(received: string): number {
  let count = 0;
  for (let at = 0; ; ) {
    const bodyAt = received.indexOf('\r\n\r\n', at) + 4;
    if (bodyAt === 3) return count;
    const head = received.slice(at, bodyAt);
    const end = endOfBody(head, received, bodyAt);
    if (end === null || end > received.length) return count;
    if (!head.startsWith('HTTP/1.1 100')) count++;
    at = end;
  }
}

function endOfBody(head: string, received: string, bodyAt: number): number | null {
  if (!/^transfer-encoding: chunked/im.test(head))
    return bodyAt + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const last = received.indexOf('0\r\n\r\n', bodyAt);
  return last === -1 ? null : last + 5;
}
