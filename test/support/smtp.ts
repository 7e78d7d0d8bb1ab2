import { createServer, type Socket } from 'node:net';

/** A mail server on loopback that accepts every email, or refuses all while `behaviour.refuses`. */
export async function startSmtp({ refuses = false } = {}) {
  const emails: string[] = [];
  const behaviour = { refuses };
  const server = createServer((socket) => talk(socket, emails, behaviour));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, emails, behaviour, stop };
}

function talk(socket: Socket, emails: string[], behaviour: { readonly refuses: boolean }): void {
  let received = '';
  let isEmail = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 loopback');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf(isEmail ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const text = received.slice(0, end);
      received = received.slice(end + (isEmail ? 5 : 2));
      if (isEmail) {
        emails.push(text);
        isEmail = false;
        say('250 taken');
        continue;
      }
      const verb = text.slice(0, 4).toUpperCase();
      isEmail = verb === 'DATA' && !behaviour.refuses;
      if (verb === 'QUIT') socket.end('221 bye\r\n');
      else if (verb === 'RCPT' && behaviour.refuses) say('550 no');
      else say(isEmail ? '354 go on' : '250 fine');
    }
  });
}

/** The text of an email: it undoes the line breaks and the "=3D" of the transfer encoding. */
export function readEmail(email: string): { readonly head: string; readonly text: string } {
  const [head = '', ...rest] = email.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const bytes = /base64/i.test(head)
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
  return { head, text: bytes.toString('utf8') };
}

/** The secret of the link in an email. */
export function tokenIn(email: string | undefined): string {
  const token = /#token=([\w-]{43})/.exec(readEmail(email ?? '').text)?.[1];
  if (token === undefined) throw new Error(`There is no link in this email: ${email}`);
  return token;
}
