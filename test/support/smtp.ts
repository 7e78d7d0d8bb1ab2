import { SMTPServer } from 'smtp-server';

/** What the mail server says instead of accepting. */
interface Refusal {
  readonly code: number;
  readonly text: string;
}

interface Behaviour {
  /** Refuses all recipients. */
  refuses: boolean;
  /** Refuses some recipients, by address. */
  readonly refusals: Map<string, Refusal>;
  /** Refuses some emails once it has them, by the address of the recipient. */
  readonly refusedEmails: Map<string, Refusal>;
  /** Accepts what it gets, and never says so. */
  isSilent: boolean;
}

/** A mail server on loopback that accepts every email, as far as its behaviour says nothing else. */
export async function startSmtp({ refuses = false, port = 0 } = {}) {
  const emails: string[] = [];
  const recipients: string[] = [];
  const behaviour: Behaviour = { refuses, refusals: new Map(), refusedEmails: new Map(), isSilent: false };
  const counts = { connections: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_, done) {
      counts.connections++;
      done();
    },
    onRcptTo({ address }, _, done) {
      const refusal = behaviour.refuses ? { code: 550, text: 'no' } : behaviour.refusals.get(address);
      done(refusal === undefined ? null : errorOf(refusal));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const [to] = envelope.rcptTo.map(({ address }) => address);
        const refusal = behaviour.refusedEmails.get(to ?? '');
        if (refusal !== undefined) return done(errorOf(refusal));
        emails.push(Buffer.concat(chunks).toString().replace(/\r\n$/, ''));
        recipients.push(to ?? '');
        if (!behaviour.isSilent) done(null, 'taken');
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = server.server.address() as { port: number };
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  const url = `smtp://127.0.0.1:${bound.port}`;
  /** `recipients` are those of the emails, in the same order. */
  return { url, port: bound.port, emails, recipients, behaviour, counts, stop };
}

export type SmtpServer = Awaited<ReturnType<typeof startSmtp>>;

function errorOf({ code, text }: Refusal): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** The text of an email: it undoes the transfer encoding. */
export function readEmail(email: string): { readonly head: string; readonly text: string } {
  const [head = '', ...rest] = email.split('\r\n\r\n');
  return { head, text: decoded(head, rest.join('\r\n\r\n')) };
}

function decoded(head: string, body: string): string {
  if (/^content-transfer-encoding: *base64/im.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/^content-transfer-encoding: *quoted-printable/im.test(head)) return body;
  return quotedPrintable(body.replaceAll('=\r\n', ''));
}

function quotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

export interface ParsedEmail {
  /** Each header once, as [name in lower case, value]. */
  readonly headers: readonly (readonly [string, string])[];
  /** Of the first header with this name, decoded; null without one. */
  header(name: string): string | null;
  readonly text: string;
  readonly html: string;
}

/** An email with a part as text and one as HTML. */
export function parseEmail(email: string): ParsedEmail {
  const [head = '', ...rest] = email.split('\r\n\r\n');
  const headers = headersOf(head);
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  if (boundary === undefined) throw new Error(`This email has no parts: ${head}`);
  const parts = rest
    .join('\r\n\r\n')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.replace(/^\r\n/, '').replace(/\r\n$/, ''));
  const partOf = (type: string) => {
    const found = parts.filter((part) => part.toLowerCase().startsWith(`content-type: ${type}`));
    if (found.length !== 1) throw new Error(`There are ${found.length} parts of type ${type}.`);
    return readEmail(found[0] ?? '').text.replaceAll('\r\n', '\n');
  };
  return {
    headers,
    header: (name) => decodedWords(headers.find(([known]) => known === name)?.[1] ?? null),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}

function headersOf(head: string): (readonly [string, string])[] {
  return head
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    });
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. Blanks between two of them mean nothing. */
function decodedWords(value: string | null): string | null {
  if (value === null) return null;
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : quotedPrintable(text.replaceAll('_', ' ')),
    );
}

/** The secret of the link in an email. */
export function tokenIn(email: string | undefined): string {
  const token = /#token=([\w-]{43})/.exec(readEmail(email ?? '').text)?.[1];
  if (token === undefined) throw new Error(`There is no link in this email: ${email}`);
  return token;
}
