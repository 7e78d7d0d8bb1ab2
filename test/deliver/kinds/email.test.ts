import { randomUUID } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isLinkToken, recipientIdIn } from '../../../src/domain/destination/kind/link-token.ts';
import { minuteMs, secondMs } from '../../../src/time/clock.ts';
import { until } from '../delivery-world.ts';
import { EmailWorld } from './email-world.ts';

let world: EmailWorld;

beforeAll(async () => {
  world = await EmailWorld.create();
});
afterEach(() => world.reset());
afterAll(() => world.close());

const tagsIn = (html: string) => {
  const tags = new Set<string>();
  new Parser({ onopentag: (name) => tags.add(name) }).end(html);
  return tags;
};
const namesOf = (headers: readonly (readonly [string, string])[]) => headers.map(([name]) => name).toSorted();

test('each recipient gets one email about each lead, as text and as HTML', async () => {
  const id = await world.destination({ to: ['ada@example.com', 'max@example.com'] });
  world.start();
  const fields = { name: 'Grace Hopper', email: 'grace@example.com', message: 'one\ntwo' };
  await world.deliveries.reaches(await world.add(id, fields), {
    state: 'delivered',
    attempts: 1,
    last_status: 250,
  });
  expect(world.smtp.recipients.toSorted()).toEqual(['ada@example.com', 'max@example.com']);
  for (const email of world.emails()) {
    expect(email.header('subject')).toBe('New lead: Grace Hopper');
    expect(email.header('from')).toBe('Leadgate <leads@sender.example>');
    expect(email.header('reply-to')).toBe('grace@example.com');
    expect(email.header('auto-submitted')).toBe('auto-generated');
    expect(email.text).toContain('message:\n  one\n  two\n');
    expect(email.html).toContain('one<br>two');
    expect(email.text).toContain('https://leads.example/w/');
  }
  expect(world.smtp.counts.connections).toBe(1);
});

test('each recipient has their own links to unsubscribe, also for mail programs', async () => {
  const id = await world.destination();
  const recipientId = await world.recipient(id, 'ada@example.com', { confirmedAt: new Date() });
  world.start();
  await world.deliveries.reaches(await world.add(id), { state: 'delivered' });
  const [email] = world.emails();
  const oneClick = /^<https:\/\/leads\.example\/unsubscribe\/([\w-]+)>$/.exec(
    email?.header('list-unsubscribe') ?? '',
  );
  expect(email?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const token = oneClick?.[1] ?? '';
  expect(recipientIdIn(token)).toBe(recipientId);
  const secret = world.deliveries.secrets.get(id) ?? '';
  expect(isLinkToken(token, 'unsubscribe', recipientId, null, secret)).toBe(true);
  const link = `https://leads.example/emails/unsubscribe#token=${token}`;
  expect(email?.text).toContain(link);
  expect(email?.html).toContain(`href="${link}"`);
});

test('with a link only, an email has nothing of the lead', async () => {
  const id = await world.destination({ config: { linkOnly: true }, to: ['max@example.com'] });
  world.start();
  const fields = { name: 'Personal', email: 'personal@example.com', note: 'personal' };
  await world.deliveries.reaches(await world.add(id, fields), { state: 'delivered' });
  const [email] = world.emails();
  expect(email?.header('reply-to')).toBeNull();
  expect(email?.text).toContain('https://leads.example/w/');
  expect(world.smtp.emails[0]).not.toMatch(/personal/i);
  expect(email?.html).not.toMatch(/personal/i);
});

const hostileFields = {
  name: 'Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>',
  email: 'eve@example.com\r\nBcc: victim@example.com',
  'X-Header\r\nX-Evil: 1': 'x\r\n.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA',
  word: '=?utf-8?q?=0d=0aBcc:_victim=40example.com?=',
  markup: '<img src="https://evil.example/x" onerror="alert(1)"><a href="javascript:alert(1)">x</a>',
  dots: '.\r\n..\r\n.',
  direction: '\u202eevil\u2066',
  ['__proto__']: '<b>',
  long: 'x'.repeat(120_000),
};

test('whatever a lead contains, an email has the same headers, one recipient, and no foreign markup', async () => {
  const id = await world.destination({ name: 'Sales\r\nBcc: victim@example.com', to: ['max@example.com'] });
  world.start();
  await world.deliveries.reaches(await world.add(id, { name: 'Ada', email: 'ada@example.com' }), {
    state: 'delivered',
  });
  await world.deliveries.reaches(await world.add(id, hostileFields), { state: 'delivered' });
  await world.deliveries.reaches(await world.add(id, { name: '=?utf-8?q?a=0d=0aBcc:_x?=' }), {
    state: 'delivered',
  });
  expect(world.smtp.recipients).toEqual(['max@example.com', 'max@example.com', 'max@example.com']);
  const [plain, hostile, word] = world.emails();
  const expected = namesOf(plain?.headers ?? []);
  expect(namesOf(hostile?.headers ?? [])).toEqual(expected.filter((name) => name !== 'reply-to'));
  expect(hostile?.header('subject')).toBe('New lead: Eve Bcc: victim@example.com <script>alert(1)</script>');
  expect(tagsIn(hostile?.html ?? '')).toEqual(tagsIn(plain?.html ?? ''));
  expect(hostile?.html).toContain('&lt;img src=&quot;https://evil.example/x&quot;');
  expect(hostile?.text).toContain('dots:\n  .\n  ..\n  .\n');
  // There is nothing to decode in it.
  expect(word?.header('subject')).toBe('New lead: = ?utf-8?q?a=0d=0aBcc:_x?=');
});

test('people who have not confirmed, unsubscribed or were removed get nothing', async () => {
  const id = await world.destination({ to: ['max@example.com'] });
  const then = new Date(Date.now() - minuteMs);
  await world.recipient(id, 'waiting@example.com');
  await world.recipient(id, 'unsubscribed@example.com', { confirmedAt: then, unsubscribedAt: new Date() });
  await world.recipient(id, 'removed@example.com', { confirmedAt: then, removedAt: new Date() });
  await world.recipient(id, 'again@example.com', { confirmedAt: new Date(), unsubscribedAt: then });
  world.start();
  await world.deliveries.reaches(await world.add(id), { state: 'delivered' });
  expect(world.smtp.recipients.toSorted()).toEqual(['again@example.com', 'max@example.com']);
});

test('a member gets emails only at a proven address, and only while they are a member', async () => {
  const { pool, workspaceId } = world.deliveries;
  const personId = randomUUID();
  await pool.query(
    `insert into people (id, name, email, email_verified, created_at, updated_at)
     values ($1, 'Ada', 'member@example.com', false, now(), now())`,
    [personId],
  );
  await pool.query(
    `insert into memberships (workspace_id, person_id, role, created_at) values ($1, $2, 'member', now())`,
    [workspaceId, personId],
  );
  const id = await world.destination({ to: ['max@example.com'] });
  await world.recipient(id, 'member@example.com');
  const receivers = async () => {
    const before = world.smtp.recipients.length;
    await world.deliveries.reaches(await world.add(id), { state: 'delivered' });
    return world.smtp.recipients.slice(before);
  };
  world.start();
  expect(await receivers()).toEqual(['max@example.com']);
  await pool.query('update people set email_verified = true where id = $1', [personId]);
  expect(await receivers()).toEqual(['max@example.com', 'member@example.com']);
  await pool.query('delete from memberships where person_id = $1', [personId]);
  expect(await receivers()).toEqual(['max@example.com']);
});

test('when nobody is left the destination is disabled, and its deliveries wait', async () => {
  const id = await world.destination();
  const recipientId = await world.recipient(id, 'max@example.com', { confirmedAt: new Date() });
  await world.setRecipient(recipientId, 'unsubscribed_at = clock_timestamp()');
  world.start();
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, {
    state: 'pending',
    attempts: 1,
    last_error_class: 'no_recipients',
  });
  const { rows } = await world.deliveries.pool.query('select * from destinations where id = $1', [id]);
  expect(rows[0]).toMatchObject({ status: 'disabled', disabled_reason: 'no_recipients' });
  expect(world.smtp.emails).toEqual([]);
});

test('while an address is not confirmed, deliveries are retried and the destination stays active', async () => {
  const id = await world.destination();
  const recipientId = await world.recipient(id, 'max@example.com');
  world.start();
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, {
    state: 'pending',
    attempts: 1,
    last_error_class: 'no_recipients',
  });
  await world.setRecipient(recipientId, 'confirmed_at = now()');
  world.deliveries.clock.shift(10 * secondMs);
  await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 2 });
  expect(await world.deliveries.health(id)).toMatchObject({ consecutive_failures: 0 });
});

test('without a mail server deliveries are retried, and say why', async () => {
  const id = await world.destination({ to: ['max@example.com'] });
  const deliver = () => Promise.reject(new Error('not called'));
  world.start({ delivering: { isOn: false, deliver } });
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, {
    state: 'pending',
    attempts: 1,
    last_error: 'This service has no mail server: its operator has to set SMTP_URL.',
  });
  expect(
    (await world.deliveries.pool.query('select status from destinations where id = $1', [id])).rows,
  ).toEqual([{ status: 'active' }]);
});

test('an event about another destination is an email, too', async () => {
  const id = await world.destination({ to: ['max@example.com'] });
  world.start();
  const eventData = { id: randomUUID(), name: 'CRM', reason: 'failing' };
  const options = { event: 'destination.disabled', submissionId: null, eventData };
  await world.deliveries.reaches(await world.deliveries.add(id, options), { state: 'delivered' });
  await until(() => expect(world.subjects()).toEqual(['Destination disabled: CRM']));
});
