import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/time/clock.ts';
import { ManualClock } from '../../../support/clocks.ts';
import { readEmail } from '../../../support/smtp.ts';
import { callWithKey, createApiKey } from '../../api-keys/key-holder.ts';
import { EmailWorld } from './email-world.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let world: EmailWorld;
let workspaceId: string;

beforeAll(async () => {
  world = await EmailWorld.start(clock);
});
beforeEach(async () => {
  world.reset(clock);
  workspaceId = await world.newWorkspace('Engines');
});
afterAll(() => world.stop());

const newDestination = (recipients: readonly string[], more: object = {}) =>
  world.newDestination(workspaceId, recipients, more);
const countDestinations = () => world.countDestinations(workspaceId);

describe('emails with links', () => {
  test('to one address are limited to five a day, and what exceeds it changes nothing', async () => {
    const stranger = world.newAddress();
    const tag = (i: number) => stranger.replace('@', `+${i}@`);
    const id = await newDestination([stranger]);
    for (let i = 0; i < 3; i++) expect((await world.ask(workspaceId, id, stranger)).status).toBe(200);
    // The last that is left, but two are wanted: `ada+1@…` is the mailbox of `ada@…`.
    const both = await world.change(workspaceId, id, { recipients: [tag(1), tag(2)] });
    expect([both.status, both.json.detail]).toEqual([
      429,
      'This address cannot receive more emails for now. Try again in 24 hours.',
    ]);
    expect(Number(both.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await world.statuses(workspaceId, id)).toEqual({ [stranger]: 'waiting' });
    expect((await world.change(workspaceId, id, { recipients: [tag(1)] })).status).toBe(200);
    expect((await world.ask(workspaceId, id, tag(1))).status).toBe(429);
    expect((await world.create(workspaceId, [tag(3)])).status).toBe(429);
    expect(await countDestinations()).toBe(1);
    expect(world.smtp.emails).toHaveLength(5);
    clock.advance(dayMs);
    expect((await world.ask(workspaceId, id, tag(1))).status).toBe(200);
  });

  test('are limited also for an owner who adds and removes someone a hundred times, in parallel', async () => {
    const [kept, stranger] = [world.newAddress(), world.newAddress()];
    const id = await newDestination([kept]);
    const rounds = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? [kept, stranger] : [kept]));
    const pending = rounds.map((recipients) => world.change(workspaceId, id, { recipients }));
    const statuses = (await Promise.all(pending)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    for (let i = 0; i < 10; i++) {
      await world.change(workspaceId, id, { recipients: [kept] });
      await world.change(workspaceId, id, { recipients: [kept, stranger] });
    }
    expect(world.emailsTo(stranger)).toHaveLength(5);
  });

  test('count for the person who sends them, and not for invitations to the same address', async () => {
    const owner = await world.newPerson(workspaceId, 'owner');
    const stranger = world.newAddress();
    const path = `/workspaces/${workspaceId}/destinations`;
    const body = { name: 'New leads', kind: 'email' };
    for (let i = 0; i < 2; i++) {
      const recipients = Array.from({ length: 20 }, () => world.newAddress());
      expect((await owner.browser.api('POST', path, { ...body, recipients })).status).toBe(201);
    }
    const recipients = Array.from({ length: 11 }, () => world.newAddress());
    const refused = await owner.browser.api('POST', path, { ...body, recipients });
    expect([refused.status, refused.json.detail]).toEqual([
      429,
      'You have sent 50 emails in 24 hours. Try again in 24 hours.',
    ]);
    const id = await newDestination([stranger]);
    for (let i = 0; i < 4; i++) await world.ask(workspaceId, id, stranger);
    expect((await world.ask(workspaceId, id, stranger)).status).toBe(429);
    const invited = { email: stranger, role: 'member' };
    const invitation = await world.service.api('POST', `/workspaces/${workspaceId}/invitations`, invited);
    expect(invitation.json.mail).toBe('sent');
  });

  test('that the mail server refuses leave the recipient waiting, who can be asked again', async () => {
    const stranger = world.newAddress();
    world.smtp.behaviour.refuses = true;
    const { status, json } = await world.create(workspaceId, [stranger]);
    expect(status).toBe(201);
    expect(json.recipients).toMatchObject([
      { status: 'waiting', last_error: 'The email with the link could not be sent.' },
    ]);
    // They got nothing, so it does not count for them.
    for (let i = 0; i < 5; i++)
      expect((await world.ask(workspaceId, json.id, stranger)).json.recipients[0].last_error).not.toBeNull();
    world.smtp.behaviour.refuses = false;
    const asked = await world.ask(workspaceId, json.id, stranger);
    expect(asked.json.recipients).toMatchObject([{ status: 'waiting', last_error: null }]);
    expect((await world.use('confirm', world.tokenTo(stranger))).status).toBe(204);
  });

  test('quote no names that would be links', async () => {
    workspaceId = await world.newWorkspace('https://evil.example/win');
    const owner = await world.newPerson(workspaceId, 'owner');
    const stranger = world.newAddress();
    const body = { name: 'call +1 800 555 1234 www.evil.example', kind: 'email', recipients: [stranger] };
    await owner.browser.api('POST', `/workspaces/${workspaceId}/destinations`, body);
    const { text } = readEmail(world.emailsTo(stranger)[0] ?? '');
    expect(text).not.toMatch(/evil\.example|555.1234/);
    expect(text.match(/https?:/g)).toHaveLength(1);
  });
});

describe('asking again', () => {
  test('is for owners and keys that may change destinations, and for recipients who get nothing', async () => {
    const owner = await world.newPerson(workspaceId, 'owner');
    const member = await world.newPerson(workspaceId);
    const stranger = world.newAddress();
    const id = await newDestination([owner.address, stranger]);
    const path = `/workspaces/${workspaceId}/destinations/${id}/recipients/confirmation`;
    const body = { address: stranger.toUpperCase() };
    expect((await owner.browser.api('POST', path, body)).status).toBe(200);
    expect((await member.browser.api('POST', path, body)).status).toBe(403);
    const writing = await createApiKey(world.service, workspaceId, ['destinations:write', 'leads:read']);
    expect((await callWithKey(world.service, writing.key, 'POST', path, body)).status).toBe(200);
    const reading = await createApiKey(world.service, workspaceId, ['destinations:read', 'leads:read']);
    expect((await callWithKey(world.service, reading.key, 'POST', path, body)).status).toBe(403);
    expect(world.emailsTo(stranger)).toHaveLength(3);
    const already = await world.ask(workspaceId, id, owner.address);
    expect([already.status, already.json.errors]).toEqual([
      422,
      [{ field: 'address', message: 'gets the emails already' }],
    ]);
    expect((await world.ask(workspaceId, id, world.newAddress())).json.detail).toBe(
      'There is no such recipient.',
    );
    const { json } = await world.service.api('GET', `/workspaces/${workspaceId}/audit`);
    const texts = json.items.map(({ text }: { text: string }) => text);
    const name = owner.address.split('@')[0];
    expect(texts).toContain(`${name} sent ${stranger} the confirmation link of destination New leads again`);
  });

  test('reaches no destination of another workspace', async () => {
    const stranger = world.newAddress();
    const id = await newDestination([stranger]);
    const other = await world.newWorkspace();
    const foreign = await world.newPerson(other, 'owner');
    const path = `destinations/${id}/recipients/confirmation`;
    for (const place of [other, workspaceId]) {
      const answer = await foreign.browser.api('POST', `/workspaces/${place}/${path}`, { address: stranger });
      expect(answer.status).toBe(404);
    }
    expect(world.emailsTo(stranger)).toHaveLength(1);
  });
});

test('a test goes only to those who receive the emails, and not more than ten times an hour', async () => {
  const { address } = await world.newPerson(workspaceId);
  const stranger = world.newAddress();
  const id = await newDestination([address, stranger]);
  const path = `/workspaces/${workspaceId}/destinations/${id}/test`;
  const before = world.emailsTo(stranger).length;
  for (let n = 0; n < 10; n++) {
    clock.advance(minuteMs);
    const tested = await world.service.api('POST', path);
    expect(tested.json).toMatchObject({ delivered: true, status: 250 });
  }
  clock.advance(minuteMs);
  const refused = await world.service.api('POST', path);
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_calls']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(40 * 60);
  expect(world.emailsTo(address)).toHaveLength(10);
  expect(world.emailsTo(stranger)).toHaveLength(before);
  clock.advance(60 * minuteMs);
  expect((await world.service.api('POST', path)).status).toBe(200);
});
