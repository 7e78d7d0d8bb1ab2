import { createServer, type Socket } from 'node:net';

/** A mail server on loopback that takes every letter, or refuses each. */
export async function startSmtp({ refuses = false } = {}) {
  const letters: string[] = [];
  const server = createServer((socket) => talk(socket, letters, refuses));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, letters, stop };
}

function talk(socket: Socket, letters: string[], refuses: boolean): void {
  let received = '';
  let isLetter = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 loopback');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf(isLetter ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const text = received.slice(0, end);
      received = received.slice(end + (isLetter ? 5 : 2));
      if (isLetter) {
        letters.push(text);
        isLetter = false;
        say('250 taken');
        continue;
      }
      const verb = text.slice(0, 4).toUpperCase();
      isLetter = verb === 'DATA' && !refuses;
      if (verb === 'QUIT') socket.end('221 bye\r\n');
      else if (verb === 'RCPT' && refuses) say('550 no');
      else say(isLetter ? '354 go on' : '250 fine');
    }
  });
}
