import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LinkPurpose, linkToken } from '../../../../src/domain/destination/kind/link-token.ts';
import { destinationSecretOwner } from '../../../../src/domain/destination/secrets.ts';
import { SecretBox } from '../../../../src/domain/secrets/secret-box.ts';
import { dayMs, minuteMs } from '../../../../src/time/clock.ts';
import { Browser } from '../../../support/browser/browser.ts';
import { ManualClock } from '../../../support/clocks.ts';
import { encryptionKey } from '../../../support/service.ts';
import { addDelivery } from '../some-deliveries.ts';
import { EmailWorld } from './email-world.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const box = new SecretBox(encryptionKey);
let world: EmailWorld;
let workspaceId: string;

beforeAll(async () => {
  world = await EmailWorld.start(clock);
});
beforeEach(async () => {
  world.smtp.emails.length = 0;
  // A network can use some links a minute.
  clock.advance(minuteMs);
  workspaceId = await world.newWorkspace('Engines');
});
afterAll(() => world.stop());

interface Row {
  readonly id: string;
  readonly asked_at: Date | null;
  readonly secret_ciphertext: Buffer;
}

async function newDestination(recipients: readonly string[]): Promise<string> {
  return (await world.create(workspaceId, recipients)).json.id;
}

/** A destination with one stranger, who was asked. */
async function newStranger() {
  const address = world.newAddress();
  const id = await newDestination([address, world.newAddress()]);
  return { id, address, token: world.tokenTo(address) };
}

/** The link that an email to the recipient has, or would have. */
async function tokenOf(purpose: LinkPurpose, id: string, address: string): Promise<string> {
  const [row] = (await world.seed.query(
    `select r.id, r.asked_at, d.secret_ciphertext from destination_recipients r
     join destinations d on d.id = r.destination_id where d.id = $1 and r.address = $2`,
    [id, address],
  )) as unknown as [Row];
  const secret = box.open(row.secret_ciphertext, destinationSecretOwner(id));
  return linkToken(purpose, row.id, purpose === 'confirm' ? row.asked_at : null, secret);
}

async function statusOf(id: string, address: string): Promise<string | undefined> {
  return (await world.statuses(workspaceId, id))[address];
}

async function traces(id: string): Promise<object[]> {
  const { json } = await world.service.api('GET', `/workspaces/${workspaceId}/audit?actor=nobody`);
  return json.items.filter((one: { target: { destination_id: string } }) => one.target.destination_id === id);
}

describe('a link to confirm', () => {
  test('shows what it is about, makes its reader a recipient, and can be used again', async () => {
    const { id, address, token } = await newStranger();
    const shown = { address, destination: 'New leads', workspace: 'Engines' };
    expect((await world.use('preview', token)).json).toEqual({ ...shown, status: 'waiting' });
    expect(await statusOf(id, address)).toBe('waiting');
    for (let i = 0; i < 2; i++) expect((await world.use('confirm', token)).status).toBe(204);
    expect((await world.use('preview', token)).json).toEqual({ ...shown, status: 'confirmed' });
    expect(await statusOf(id, address)).toBe('confirmed');
    expect(await traces(id)).toMatchObject([
      {
        text: `Someone confirmed with the link in an email that ${address} wants the emails of destination New leads`,
        actor: { kind: 'nobody', id: null },
        address: '127.0.0.1',
      },
    ]);
  });

  test('sends what waited only for someone to confirm, and nothing else', async () => {
    const { id, token } = await newStranger();
    const later = new Date(clock.now() + dayMs);
    const add = (values: object) =>
      addDelivery(world.seed, workspaceId, id, { next_at: later, attempts: 1, ...values });
    const waited = await add({ last_error_class: 'no_recipients' });
    const failed = await add({ last_error_class: 'failed' });
    const dead = await add({ last_error_class: 'no_recipients', state: 'dead' });
    expect((await world.use('confirm', token)).status).toBe(204);
    const rows = await world.seed.query(
      'select id, next_at, attempts from deliveries where destination_id = $1',
      [id],
    );
    const nextAt = Object.fromEntries(rows.map((row) => [row.id, row.next_at]));
    expect(nextAt).toEqual({ [waited]: new Date(clock.now()), [failed]: later, [dead]: later });
    expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
  });

  test('used twice at the same time confirms once', async () => {
    const { id, token } = await newStranger();
    const answers = await Promise.all([world.use('confirm', token), world.use('confirm', token)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await traces(id)).toHaveLength(1);
  });

  test('works for seven days', async () => {
    const { id, address, token } = await newStranger();
    clock.advance(7 * dayMs - 1);
    expect((await world.use('preview', token)).status).toBe(200);
    clock.advance(1);
    for (const action of ['preview', 'confirm'] as const) {
      const { status, json } = await world.use(action, token);
      expect([status, json.detail]).toEqual([404, 'There is no such link.']);
    }
    expect(await statusOf(id, address)).toBe('waiting');
  });

  test('ends with the next one', async () => {
    const { id, address, token } = await newStranger();
    clock.advance(1);
    await world.ask(workspaceId, id, address);
    const next = world.tokenTo(address);
    expect([(await world.use('confirm', token)).status, (await world.use('confirm', next)).status]).toEqual([
      404, 204,
    ]);
  });

  test('ends when its reader is removed, and does not come back with them', async () => {
    const { id, address, token } = await newStranger();
    const other = world.newAddress();
    await world.change(workspaceId, id, { recipients: [other] });
    for (const action of ['preview', 'confirm'] as const)
      expect((await world.use(action, token)).status).toBe(404);
    clock.advance(1);
    await world.change(workspaceId, id, { recipients: [other, address] });
    expect((await world.use('confirm', token)).status).toBe(404);
    const next = world.tokenTo(address);
    expect((await world.use('confirm', next)).status).toBe(204);
    await world.change(workspaceId, id, { recipients: [other] });
    expect((await world.use('confirm', next)).status).toBe(404);
  });

  test('ends with the destination', async () => {
    const { id, address, token } = await newStranger();
    const stop = await tokenOf('unsubscribe', id, address);
    await world.service.api('DELETE', `/workspaces/${workspaceId}/destinations/${id}`);
    expect((await world.use('confirm', token)).status).toBe(404);
    expect((await world.use('unsubscribe', stop)).status).toBe(404);
  });

  test('ends when its reader unsubscribes, used or not, and only a later one counts', async () => {
    const { id, address, token } = await newStranger();
    expect((await world.use('confirm', token)).status).toBe(204);
    expect((await world.use('unsubscribe', await tokenOf('unsubscribe', id, address))).status).toBe(204);
    expect((await world.use('confirm', token)).status).toBe(404);
    expect(await statusOf(id, address)).toBe('unsubscribed');
    // At the same millisecond.
    await world.ask(workspaceId, id, address);
    expect((await world.use('confirm', world.tokenTo(address))).status).toBe(204);
    expect(await statusOf(id, address)).toBe('confirmed');
  });
});

describe('a link to unsubscribe', () => {
  test('works for a member, at any time, and can be used again', async () => {
    const member = await world.newPerson(workspaceId);
    const id = await newDestination([member.address]);
    const token = await tokenOf('unsubscribe', id, member.address);
    clock.advance(400 * dayMs);
    expect((await world.use('preview', token)).json).toMatchObject({
      address: member.address,
      status: 'member',
    });
    for (let i = 0; i < 2; i++) expect((await world.use('unsubscribe', token)).status).toBe(204);
    expect((await world.use('preview', token)).json).toMatchObject({ status: 'unsubscribed' });
    expect(await statusOf(id, member.address)).toBe('unsubscribed');
    expect(await traces(id)).toMatchObject([
      {
        text: `Someone unsubscribed ${member.address} from the emails of destination New leads with the link in an email`,
      },
    ]);
  });

  test('works for someone whom an owner removed, so that they are asked when they are added again', async () => {
    const member = await world.newPerson(workspaceId);
    const id = await newDestination([member.address]);
    const token = await tokenOf('unsubscribe', id, member.address);
    await world.change(workspaceId, id, { recipients: [world.newAddress()] });
    expect((await world.use('unsubscribe', token)).status).toBe(204);
    await world.change(workspaceId, id, { recipients: [member.address] });
    expect(await statusOf(id, member.address)).toBe('unsubscribed');
    expect(world.emailsTo(member.address)).toHaveLength(1);
  });

  test('works although the clock of another instance was ahead when they confirmed', async () => {
    const { id, address, token } = await newStranger();
    await world.use('confirm', token);
    await world.seed.query(
      'update destination_recipients set confirmed_at = $2 where destination_id = $1 and address = $3',
      [id, new Date(clock.now() + minuteMs), address],
    );
    expect((await world.use('unsubscribe', await tokenOf('unsubscribe', id, address))).status).toBe(204);
    expect(await statusOf(id, address)).toBe('unsubscribed');
  });

  test('keeps working when the secrets are encrypted again with another key', async () => {
    const { id, address } = await newStranger();
    const token = await tokenOf('unsubscribe', id, address);
    const [row] = await world.seed.query('select secret_ciphertext from destinations where id = $1', [id]);
    const owner = destinationSecretOwner(id);
    const secret = box.open((row as unknown as Row).secret_ciphertext, owner);
    const seal = (key: string) =>
      world.seed.query('update destinations set secret_ciphertext = $2 where id = $1', [
        id,
        new SecretBox(key).seal(secret, owner),
      ]);
    // A key that this service does not have: nothing can be checked, and nobody is told why.
    await seal('another-key-of-the-tests-0123456789');
    expect((await world.use('unsubscribe', token)).status).toBe(404);
    await seal(encryptionKey);
    expect((await world.use('unsubscribe', token)).status).toBe(204);
  });
});

test('a link is worth nothing for another purpose, recipient or destination, nor when it is forged', async () => {
  const [mine, other] = [await newStranger(), await newStranger()];
  const stop = await tokenOf('unsubscribe', mine.id, mine.address);
  expect((await world.use('unsubscribe', mine.token)).status).toBe(404);
  expect((await world.use('confirm', stop)).status).toBe(404);
  const bytes = Buffer.from(mine.token, 'base64url');
  const idOfOther = Buffer.from(other.token, 'base64url').subarray(0, 16);
  const forged = [
    Buffer.concat([idOfOther, bytes.subarray(16)]),
    Buffer.concat([bytes.subarray(0, 16), Buffer.alloc(16)]),
    Buffer.concat([bytes.subarray(0, 16), createHmac('sha256', '').update('').digest().subarray(0, 16)]),
    Buffer.concat([Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), bytes.subarray(16)]),
    bytes.subarray(0, 31),
  ].map((each) => each.toString('base64url'));
  for (const token of [...forged, '', 'x', '\u0000', "' or 1=1 --"])
    for (const action of ['preview', 'confirm', 'unsubscribe'] as const) {
      clock.advance(minuteMs);
      const { status, json } = await world.use(action, token);
      expect([status, json.detail]).toEqual([404, 'There is no such link.']);
    }
  expect((await world.use('preview', 'x'.repeat(201))).status).toBe(422);
  for (const { id, address } of [mine, other]) {
    expect(await statusOf(id, address)).toBe('waiting');
    expect(await traces(id)).toEqual([]);
  }
});

test('a link ends when the secret of its destination is replaced', async () => {
  const { id, address, token } = await newStranger();
  const stop = await tokenOf('unsubscribe', id, address);
  const other = box.seal('other', destinationSecretOwner(id));
  await world.seed.query('update destinations set secret_ciphertext = $2 where id = $1', [id, other]);
  expect((await world.use('confirm', token)).status).toBe(404);
  expect((await world.use('unsubscribe', stop)).status).toBe(404);
});

test('a network can use thirty links a minute, and another site none for its visitors', async () => {
  const { id, address, token } = await newStranger();
  const statuses = [];
  for (let i = 0; i < 31; i++) statuses.push((await world.use('preview', token)).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([30, 429]);
  expect((await world.use('confirm', token)).status).toBe(429);
  clock.advance(minuteMs);
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const browser = new Browser(world.service.url);
  const answer = await browser.call('POST', '/v1/recipient-links/confirm', { token }, foreign);
  expect([answer.status, answer.json.code]).toEqual([403, 'cross_site']);
  expect(await statusOf(id, address)).toBe('waiting');
});
