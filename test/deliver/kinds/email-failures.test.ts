import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DeliverDatabase } from '../../../src/db/deliver/deliver-database.ts';
import { interrupted, type MailReply } from '../../../src/mail/mail-reply.ts';
import { minuteMs, secondMs } from '../../../src/time/clock.ts';
import { startSmtp } from '../../support/smtp.ts';
import { until } from '../delivery-world.ts';
import { Receiver } from '../receiver.ts';
import { EmailWorld } from './email-world.ts';

let world: EmailWorld;

beforeAll(async () => {
  world = await EmailWorld.create();
});
afterEach(() => world.reset());
afterAll(() => world.close());

test('a recipient who is refused is retried alone, and the others do not get it twice', async () => {
  const id = await world.destination({ to: ['ada@example.com'] });
  const refused = await world.recipient(id, 'eve@example.com', { confirmedAt: new Date() });
  await world.recipient(id, 'max@example.com', { confirmedAt: new Date() });
  world.smtp.behaviour.refusals.set('eve@example.com', { code: 550, text: 'no such\r\nmailbox' });
  world.start();
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, { state: 'pending', attempts: 1, last_status: 550 });
  expect(world.smtp.recipients).toEqual(['ada@example.com', 'max@example.com']);
  const { last_error: error, last_error_class: kind } = await world.deliveries.delivery(delivery);
  expect(kind).toBe('refused');
  expect(error).toMatch(/^eve@example\.com: 550 no such/);
  expect(error).not.toMatch(/[\r\n]/);
  expect(await world.errorOf(refused)).toMatch(/^550 no such/);
  // The mail server works.
  expect(await world.deliveries.health(id)).toMatchObject({ consecutive_failures: 0 });
  world.deliveries.clock.shift(10 * secondMs);
  await world.deliveries.reaches(delivery, { state: 'pending', attempts: 2 });
  expect(await world.deliveries.health(id)).toMatchObject({ consecutive_failures: 0 });
  world.smtp.behaviour.refusals.clear();
  world.deliveries.clock.shift(10 * minuteMs);
  await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 3 });
  expect(world.smtp.recipients).toEqual(['ada@example.com', 'max@example.com', 'eve@example.com']);
  expect(await world.errorOf(refused)).toBeNull();
});

test('a recipient who was refused and then removed no longer holds up the delivery', async () => {
  const id = await world.destination({ to: ['ada@example.com'] });
  const refused = await world.recipient(id, 'eve@example.com', { confirmedAt: new Date() });
  world.smtp.behaviour.refusals.set('eve@example.com', { code: 550, text: 'no' });
  world.start();
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, { state: 'pending', attempts: 1 });
  await world.setRecipient(refused, 'removed_at = now()');
  world.deliveries.clock.shift(10 * secondMs);
  await world.deliveries.reaches(delivery, { state: 'delivered' });
  expect(world.smtp.recipients).toEqual(['ada@example.com']);
});

test('when all recipients are refused, the destination is failing', async () => {
  const id = await world.destination({ to: ['ada@example.com', 'max@example.com'] });
  world.smtp.behaviour.refuses = true;
  world.start();
  await world.deliveries.reaches(await world.add(id), { state: 'pending', attempts: 1, last_status: 550 });
  await until(async () =>
    expect(await world.deliveries.health(id)).toMatchObject({ consecutive_failures: 1 }),
  );
});

test('while the mail server is down one recipient is tried, and all get the email when it is back', async () => {
  const id = await world.destination({ to: ['ada@example.com', 'max@example.com'] });
  const { port } = world.smtp;
  await world.smtp.stop();
  let tries = 0;
  const delivering = {
    isOn: true,
    deliver: (...email: Parameters<typeof world.mail.deliver>) => {
      tries++;
      return world.mail.deliver(...email);
    },
  };
  world.start({ delivering });
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, {
    state: 'pending',
    attempts: 1,
    last_status: null,
    last_error: 'The mail server could not be reached.',
  });
  expect(tries).toBe(1);
  world.smtp = await startSmtp({ port });
  world.deliveries.clock.shift(10 * secondMs);
  await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 2 });
  expect(world.smtp.recipients).toEqual(['ada@example.com', 'max@example.com']);
});

test('a mail server that goes away between two emails leaves nobody without one, and nobody with two', async () => {
  const id = await world.destination({ to: ['ada@example.com', 'max@example.com'] });
  const { port } = world.smtp;
  world.start();
  await world.deliveries.reaches(await world.add(id, { name: 'One' }), { state: 'delivered' });
  await world.smtp.stop();
  world.smtp = await startSmtp({ port });
  await world.deliveries.reaches(await world.add(id, { name: 'Two' }), { state: 'delivered', attempts: 1 });
  expect(world.subjects()).toEqual(['New lead: Two', 'New lead: Two']);
  expect(world.smtp.recipients).toEqual(['ada@example.com', 'max@example.com']);
});

test('an email that was accepted before its outcome was written comes again with the same Message-ID', async () => {
  const id = await world.destination({ to: ['ada@example.com', 'max@example.com'] });
  // As good as dead: it writes nothing, and loses its lease.
  let isDead = false;
  const dying = (database: DeliverDatabase): Partial<DeliverDatabase> => ({
    writeOutcomes: () => Promise.withResolvers<void>().promise,
    renew: async () => [],
    claim: async (claim) => (isDead ? [] : database.claim(claim)),
  });
  world.start({ watch: dying });
  const delivery = await world.add(id);
  await until(() => expect(world.smtp.recipients).toHaveLength(2));
  isDead = true;
  world.deliveries.clock.shift(20 * secondMs);
  world.start();
  await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 1 });
  const ids = world.emails().map((email) => email.header('message-id'));
  expect(world.smtp.recipients).toEqual([
    'ada@example.com',
    'max@example.com',
    'ada@example.com',
    'max@example.com',
  ]);
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(2);
  expect(ids[0]).toMatch(/^<[0-9a-f]{32}@sender\.example>$/);
}, 40_000);

test('when the service stops, those who have the email are remembered', async () => {
  const id = await world.destination({ to: ['ada@example.com', 'max@example.com'] });
  const { deliver } = world.mail;
  const started: string[] = [];
  const delivering = {
    isOn: true,
    deliver: (...[email, signal]: Parameters<typeof deliver>) => {
      started.push(email.to);
      if (email.to === 'max@example.com') world.smtp.behaviour.isSilent = true;
      return world.mail.deliver(email, signal);
    },
  };
  world.start({ delivering });
  const delivery = await world.add(id);
  await until(() => expect(started).toHaveLength(2));
  await world.deliveries.stop();
  await world.deliveries.reaches(delivery, { state: 'pending', attempts: 1 });
  world.smtp.behaviour.isSilent = false;
  world.deliveries.clock.shift(20 * secondMs);
  world.start();
  await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 2 });
  expect(world.smtp.recipients.filter((address) => address === 'ada@example.com')).toHaveLength(1);
}, 40_000);

test('the address of an unknown recipient cannot speak to the mail server', async () => {
  const hostile = 'a@example.com>\r\nRCPT TO:<victim@example.com';
  const id = await world.destination({ to: [hostile, 'ada@example.com'] });
  world.start();
  const delivery = await world.add(id);
  await world.deliveries.reaches(delivery, { state: 'pending', attempts: 1 });
  expect(world.smtp.recipients).toEqual(['ada@example.com']);
});

test('a mail server that never responds does not hold up webhooks', async () => {
  const receiver = await new Receiver().start();
  let waiting = 0;
  const hanging = {
    isOn: true,
    deliver: (_: unknown, signal: AbortSignal) => {
      waiting++;
      return new Promise<MailReply>((resolve) =>
        signal.addEventListener('abort', () => resolve(interrupted)),
      );
    },
  };
  for (let n = 0; n < 60; n++) await world.add(await world.destination({ to: ['ada@example.com'] }));
  world.start({ delivering: hanging });
  await until(() => expect(waiting).toBe(12));
  const webhook = await world.deliveries.destination({ url: receiver.url });
  await world.deliveries.reaches(await world.add(webhook), { state: 'delivered' });
  expect(waiting).toBe(12);
  await world.deliveries.stop();
  await receiver.stop();
});
