import { createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { Mail } from '../../../src/mail/mail.ts';
import { parseEmail, startSmtp } from '../../support/smtp.ts';
import { until } from '../delivery-world.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const never = new AbortController().signal;
const log = pino({ level: 'silent' });
const email = {
  id: 'one',
  to: 'max@example.com',
  subject: 'New lead',
  text: 'text',
  html: '<p>text</p>',
  replyTo: null,
  oneClickUrl: null,
};

function mailTo(url: string, from = 'Leadgate <leads@sender.example>'): Mail {
  const mail = new Mail({ url, from }, log);
  stops.push(() => mail.stop());
  return mail;
}

async function smtpServer() {
  const smtp = await startSmtp();
  stops.push(smtp.stop);
  return smtp;
}

/** A server that is not quite a mail server. */
async function strangeServer(
  onConnection: (socket: Socket) => void,
): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}).resume());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`, sockets };
}

test('an email that is accepted has the reply of the mail server, and the headers of an automatic email', async () => {
  const smtp = await smtpServer();
  const reply = await mailTo(smtp.url).deliver(
    { ...email, replyTo: 'ada@example.com', oneClickUrl: 'https://leads.example/unsubscribe/abc' },
    never,
  );
  expect(reply).toEqual({ isAccepted: true, isAboutRecipient: true, status: 250, text: '250 taken' });
  const parsed = parseEmail(smtp.emails[0] ?? '');
  expect(Object.fromEntries(parsed.headers)).toMatchObject({
    'message-id': '<one@sender.example>',
    'reply-to': 'ada@example.com',
    'auto-submitted': 'auto-generated',
    precedence: 'bulk',
    'x-auto-response-suppress': 'OOF, AutoReply',
    'list-unsubscribe': '<https://leads.example/unsubscribe/abc>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(parsed).toMatchObject({ text: 'text', html: '<p>text</p>' });
});

test.each([
  ['leads@plain.example', 'plain.example'],
  ['"A, B" <leads@named.example>', 'named.example'],
])('the Message-ID has the domain of the sender %s', async (from, domain) => {
  const smtp = await smtpServer();
  await mailTo(smtp.url, from).deliver(email, never);
  expect(parseEmail(smtp.emails[0] ?? '').header('message-id')).toBe(`<one@${domain}>`);
});

test('a header of the email stays on one logical line, however long the link is', async () => {
  const smtp = await smtpServer();
  const oneClickUrl = `https://${'a'.repeat(60)}.example/${'b'.repeat(200)}`;
  await mailTo(smtp.url).deliver({ ...email, oneClickUrl }, never);
  expect(parseEmail(smtp.emails[0] ?? '').header('list-unsubscribe')).toBe(`<${oneClickUrl}>`);
});

test('files and URLs are never read for an email', async () => {
  const smtp = await smtpServer();
  const hostile = { path: '/etc/hostname' } as unknown as string;
  expect(await mailTo(smtp.url).deliver({ ...email, html: hostile }, never)).toMatchObject({
    isAccepted: false,
  });
  expect(smtp.emails).toEqual([]);
});

test('a recipient who is refused says nothing about others, and their connection stays', async () => {
  const smtp = await smtpServer();
  const mail = mailTo(smtp.url);
  smtp.behaviour.refusals.set('eve@example.com', { code: 550, text: `no${' such mailbox'.repeat(100)}` });
  smtp.behaviour.refusedEmails.set('bob@example.com', { code: 552, text: 'too large' });
  const refused = await mail.deliver({ ...email, to: 'eve@example.com' }, never);
  expect(refused).toMatchObject({ isAccepted: false, isAboutRecipient: true, status: 550 });
  expect(refused.text).toMatch(/^550 no such mailbox/);
  expect(refused.text.length).toBeLessThanOrEqual(300);
  expect(await mail.deliver({ ...email, to: 'bob@example.com' }, never)).toMatchObject({
    isAboutRecipient: true,
    status: 552,
    text: '552 too large',
  });
  expect(await mail.deliver(email, never)).toMatchObject({ isAccepted: true });
  expect(smtp.counts.connections).toBe(1);
});

test('a mail server that is busy or closes is no refusal of the recipient, and its words stay with the operator', async () => {
  const { url } = await strangeServer((socket) => socket.end('421 internal-host-7 is busy\r\n'));
  expect(await mailTo(url).deliver(email, never)).toEqual({
    isAccepted: false,
    isAboutRecipient: false,
    status: 421,
    text: 'The mail server refuses emails of this service with 421.',
  });
});

test('a mail server that cannot be reached is no reply', async () => {
  const smtp = await startSmtp();
  await smtp.stop();
  expect(await mailTo(smtp.url).deliver(email, never)).toEqual({
    isAccepted: false,
    isAboutRecipient: false,
    status: null,
    text: 'The mail server could not be reached.',
  });
});

test('without a mail server there is a reply that says so', async () => {
  expect(await new Mail(null, log).deliver(email, never)).toMatchObject({ isAccepted: false, status: null });
});

test('what is abandoned is not sent later, and its connection is closed', async () => {
  const { url, sockets } = await strangeServer((socket) => socket.write('220 hello\r\n'));
  const mail = mailTo(url);
  const ending = new AbortController();
  const reply = mail.deliver(email, ending.signal);
  await until(() => expect(sockets).toHaveLength(1));
  ending.abort();
  expect(await reply).toMatchObject({ isAccepted: false, isAboutRecipient: false, status: null });
  await until(() => expect(sockets[0]?.closed).toBe(true));
});

test('emails wait for one of five connections, and one that is abandoned while it waits is never sent', async () => {
  const smtp = await smtpServer();
  const mail = mailTo(smtp.url);
  smtp.behaviour.isSilent = true;
  const ending = new AbortController();
  const stuck = Array.from({ length: 5 }, () => mail.deliver(email, ending.signal));
  await until(() => expect(smtp.emails).toHaveLength(5));
  const impatient = new AbortController();
  const abandoned = mail.deliver({ ...email, to: 'eve@example.com' }, impatient.signal);
  const waiting = mail.deliver({ ...email, to: 'ada@example.com' }, never);
  impatient.abort();
  expect(await abandoned).toMatchObject({ isAccepted: false, status: null });
  smtp.behaviour.isSilent = false;
  ending.abort();
  expect((await Promise.all(stuck)).every(({ isAccepted }) => !isAccepted)).toBe(true);
  expect(await waiting).toMatchObject({ isAccepted: true });
  expect(smtp.recipients).not.toContain('eve@example.com');
  expect(smtp.counts.connections).toBe(6);
});

test('an email that is abandoned before it starts opens no connection', async () => {
  const smtp = await smtpServer();
  const ended = AbortSignal.abort();
  expect(await mailTo(smtp.url).deliver(email, ended)).toMatchObject({ isAccepted: false });
  expect(smtp.counts.connections).toBe(0);
});
