import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../support/clocks.ts';
import { readEmail } from '../../../support/smtp.ts';
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

describe('a destination that sends emails', () => {
  test('sends them to members immediately, and asks everyone else first', async () => {
    const member = await world.newPerson(workspaceId);
    const stranger = world.newAddress();
    const { status, json } = await world.create(workspaceId, [member.address, stranger]);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...{ kind: 'email', secret: null, status: 'active', per_second: 1 },
      ...{ every: 'lead', hour: 8, time_zone: 'UTC', link_only: false },
      recipients: [
        { address: member.address, status: 'member', asked_at: null, last_error: null },
        { address: stranger, status: 'waiting', asked_at: new Date(clock.now()).toISOString() },
      ],
    });
    expect(world.smtp.emails).toHaveLength(1);
    const { text } = readEmail(world.emailsTo(stranger)[0] ?? '');
    expect(text).toContain('the workspace “Engines” in Leadgate, from the destination “New leads”');
    expect(text).toContain(`${world.service.url}/emails/confirm#token=${world.tokenTo(stranger)}`);
  });

  test('asks a member whose address nobody has proven, the owner included', async () => {
    const owner = await world.newPerson(workspaceId, 'owner', false);
    const id = await newDestination([owner.address]);
    expect(await world.statuses(workspaceId, id)).toEqual({ [owner.address]: 'waiting' });
    expect(world.emailsTo(owner.address)).toHaveLength(1);
  });

  test('asks someone whose address is proven in another workspace only', async () => {
    const member = await world.newPerson(await world.newWorkspace());
    const id = await newDestination([member.address]);
    expect(await world.statuses(workspaceId, id)).toEqual({ [member.address]: 'waiting' });
  });

  test('has each address once, in whatever case it is written', async () => {
    const member = await world.newPerson(workspaceId);
    const stranger = world.newAddress();
    const id = await newDestination([member.address.toUpperCase(), stranger, stranger.toUpperCase()]);
    expect(await world.statuses(workspaceId, id)).toEqual({
      [member.address]: 'member',
      [stranger]: 'waiting',
    });
    const again = await world.change(workspaceId, id, { recipients: [stranger.toUpperCase()] });
    expect(again.json.recipients).toMatchObject([{ address: stranger, status: 'waiting' }]);
    expect(world.smtp.emails).toHaveLength(1);
  });

  test('is not created without a mail server, and says who can set one up', async () => {
    const path = `/workspaces/${workspaceId}/destinations`;
    const body = { name: 'New leads', kind: 'email', recipients: [world.newAddress()] };
    for (const call of [path, `${path}/check`]) {
      const refused = await world.plain.api('POST', call, body);
      expect(refused.status).toBe(422);
      expect(refused.json.errors).toEqual([
        { field: 'kind', message: 'needs a mail server, which the operator sets up with SMTP_URL' },
      ]);
    }
    expect((await world.service.api('POST', `${path}/check`, body)).status).toBe(204);
    expect(world.smtp.emails).toEqual([]);
    expect(await countDestinations()).toBe(0);
  });

  test('without a mail server loses recipients, but gets no new ones', async () => {
    const addresses = [world.newAddress(), world.newAddress()] as const;
    const id = await newDestination(addresses);
    const path = `/workspaces/${workspaceId}/destinations/${id}`;
    const more = await world.plain.api('PATCH', path, { recipients: [...addresses, world.newAddress()] });
    expect([more.status, more.json.errors[0].field]).toEqual([422, 'recipients']);
    const fewer = await world.plain.api('PATCH', path, { recipients: [addresses[1]], every: 'day' });
    expect(fewer.status).toBe(200);
    expect(fewer.json.recipients).toMatchObject([{ address: addresses[1] }]);
    const asked = await world.plain.api('POST', `${path}/recipients/confirmation`, { address: addresses[1] });
    expect([asked.status, asked.json.errors[0].field]).toEqual([422, 'address']);
  });

  test.each([
    ['no recipients', { recipients: [] }, 'recipients'],
    ['too many', { recipients: Array.from({ length: 21 }, (_, i) => `a${i}@b.example`) }, 'recipients'],
    ['no address', { recipients: ['ada'] }, 'recipients[0]'],
    ['two in one', { recipients: ['a@b.example,c@d.example'] }, 'recipients[0]'],
    ['a line break', { recipients: ['a@b.example\r\nBcc: c@d.example'] }, 'recipients[0]'],
    ['a name', { recipients: ['Ada <a@b.example>'] }, 'recipients[0]'],
    // Its domain is accepted as it is written in DNS: xn--bcher-kva.example.
    ['letters that are not ASCII', { recipients: ['ada@bücher.example'] }, 'recipients[0]'],
    ['a URL', { url: 'https://crm.example' }, 'url'],
    ['a secret', { secret: 'whsec_x' }, 'secret'],
    ['no time zone', { time_zone: 'Berlin' }, 'time_zone'],
    ['no hour', { hour: 24 }, 'hour'],
  ])('is not created with %s', async (_, more, field) => {
    const { status, json } = await world.create(workspaceId, ['ada@b.example'], more);
    expect([status, json.errors.map((one: { field: string }) => one.field)]).toEqual([422, [field]]);
    expect(world.smtp.emails).toEqual([]);
  });

  test('is not given what other kinds have, nor they what it has', async () => {
    const id = await newDestination([world.newAddress()]);
    for (const [field, value] of [
      ...[
        ['url', 'https://crm.example'],
        ['headers', { 'X-A': 'b' }],
        ['token', 'x'],
        ['per_second', 5],
      ],
    ] as const) {
      const { status, json } = await world.change(workspaceId, id, { [field as string]: value });
      const errors = [{ field, message: 'a destination of the kind email has none' }];
      expect([status, json.errors]).toEqual([422, errors]);
    }
    const erased = await world.change(workspaceId, id, { events: ['lead.erased'] });
    expect([erased.status, erased.json.errors[0].field]).toEqual([422, 'events']);
    const webhook = { name: 'CRM', kind: 'webhook', url: 'https://93.184.215.14/leads' };
    const path = `/workspaces/${workspaceId}/destinations`;
    const { json: created } = await world.service.api('POST', path, webhook);
    const foreign = await world.change(workspaceId, created.id, { recipients: [world.newAddress()] });
    expect([foreign.status, foreign.json.errors[0].field]).toEqual([422, 'recipients']);
    const rotated = await world.service.api('POST', `${path}/${id}/secret-rotation`, {});
    expect([rotated.status, rotated.json.code]).toEqual([422, 'invalid_input']);
    expect((await world.ask(workspaceId, created.id, world.newAddress())).status).toBe(404);
  });

  test('changes how often it sends, and its deliveries that wait are looked at', async () => {
    const address = world.newAddress();
    const id = await newDestination([address]);
    // Held by an instance elsewhere, so that nobody looks, and forgets that they were asked to.
    await world.seed.query(
      `update destination_leases set wake_at = 'infinity', instance_id = gen_random_uuid(), until = 'infinity'
       where destination_id = $1`,
      [id],
    );
    const wanted = { every: 'day', hour: 6, time_zone: 'Europe/Berlin', link_only: true };
    const { json } = await world.change(workspaceId, id, { ...wanted, name: 'Daily' });
    expect(json).toMatchObject({ ...wanted, name: 'Daily', version: 2 });
    expect(json.recipients).toMatchObject([{ address, status: 'waiting' }]);
    expect((await world.change(workspaceId, id, { every: 'hour' })).json).toMatchObject({
      ...wanted,
      every: 'hour',
    });
    const [lease] = await world.seed.query(
      'select wake_at from destination_leases where destination_id = $1',
      [id],
    );
    expect(lease).not.toEqual({ wake_at: Number.POSITIVE_INFINITY });
    expect(world.smtp.emails).toHaveLength(1);
  });
});

describe('a change of the recipients', () => {
  test('adds, keeps and removes, and asks only those who are new', async () => {
    const [first, second, third] = [world.newAddress(), world.newAddress(), world.newAddress()];
    const id = await newDestination([first, second]);
    await world.use('confirm', world.tokenTo(second));
    world.smtp.emails.length = 0;
    const { json } = await world.change(workspaceId, id, { recipients: [second, third] });
    expect(json.recipients).toMatchObject([
      { address: second, status: 'confirmed' },
      { address: third, status: 'waiting' },
    ]);
    expect(world.smtp.emails).toHaveLength(1);
    expect(world.emailsTo(third)).toHaveLength(1);
  });

  test('that brings someone back asks them, unless they had confirmed and never unsubscribed', async () => {
    const member = await world.newPerson(workspaceId);
    const [confirmed, waiting, left] = [world.newAddress(), world.newAddress(), world.newAddress()];
    const all = [member.address, confirmed, waiting, left];
    const id = await newDestination([...all, world.newAddress()]);
    await world.use('confirm', world.tokenTo(confirmed));
    await world.use('confirm', world.tokenTo(left));
    for (const address of [left, member.address]) await unsubscribe(id, address);
    await world.change(workspaceId, id, { recipients: [world.newAddress()] });
    world.smtp.emails.length = 0;
    await world.change(workspaceId, id, { recipients: all });
    expect(await world.statuses(workspaceId, id)).toEqual({
      [member.address]: 'unsubscribed',
      [confirmed]: 'confirmed',
      [waiting]: 'waiting',
      [left]: 'unsubscribed',
    });
    const asked = all.filter((address) => world.emailsTo(address).length === 1);
    expect(asked).toEqual([member.address, waiting, left]);
    for (const address of asked)
      expect((await world.use('confirm', world.tokenTo(address))).status).toBe(204);
    expect(new Set(Object.values(await world.statuses(workspaceId, id)))).toEqual(new Set(['confirmed']));
  });

  test('enables a destination that nobody was left for, as soon as someone gets its emails', async () => {
    const member = await world.newPerson(workspaceId);
    const stranger = world.newAddress();
    const id = await newDestination([stranger]);
    const disable = () =>
      world.seed.query(
        "update destinations set status = 'disabled', disabled_reason = 'no_recipients' where id = $1",
        [id],
      );
    await disable();
    const waiting = await world.change(workspaceId, id, { recipients: [stranger, world.newAddress()] });
    expect(waiting.json).toMatchObject({ status: 'disabled', disabled_reason: 'no_recipients' });
    const added = await world.change(workspaceId, id, { recipients: [stranger, member.address] });
    expect(added.json).toMatchObject({ status: 'active', disabled_reason: null });
    await disable();
    await world.use('confirm', world.tokenTo(stranger));
    const { json } = await world.service.api('GET', `/workspaces/${workspaceId}/destinations/${id}`);
    expect(json).toMatchObject({ status: 'active', updated_by: stranger });
  });

  test('is in the audit log with the addresses', async () => {
    const address = world.newAddress();
    const id = await newDestination([world.newAddress()]);
    await world.change(workspaceId, id, { recipients: [address] });
    const { json } = await world.service.api('GET', `/workspaces/${workspaceId}/audit`);
    const entry = json.items.find(({ action }: { action: string }) => action === 'changeADestination');
    expect(entry).toMatchObject({
      text: 'The operator changed the recipients of destination New leads',
      changes: { recipients: [address] },
      target: { destination_id: id },
    });
  });

  /** With the link of an email that it sent. */
  async function unsubscribe(id: string, address: string): Promise<void> {
    await world.seed.query(
      'update destination_recipients set unsubscribed_at = $3 where destination_id = $1 and address = $2',
      [id, address, new Date(clock.now())],
    );
  }
});

describe('a member who is removed from the workspace', () => {
  test('gets no more emails, unless they confirmed', async () => {
    const [member, confirmed] = [await world.newPerson(workspaceId), await world.newPerson(workspaceId)];
    const id = await newDestination([member.address, confirmed.address]);
    await world.seed.query(
      'update destination_recipients set confirmed_at = $3 where destination_id = $1 and address = $2',
      [id, confirmed.address, new Date(clock.now())],
    );
    for (const person of [member, confirmed])
      await world.service.api('DELETE', `/workspaces/${workspaceId}/members/${person.id}`);
    expect(await world.statuses(workspaceId, id)).toEqual({
      [member.address]: 'waiting',
      [confirmed.address]: 'confirmed',
    });
    expect((await world.ask(workspaceId, id, member.address)).status).toBe(200);
    expect(world.emailsTo(member.address)).toHaveLength(1);
  });
});
