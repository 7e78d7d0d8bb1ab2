import { createHmac, hkdfSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashKey } from '../../src/domain/idempotency.ts';
import { SecretBox } from '../../src/domain/secret-box.ts';
import { sealAsBefore } from '../support/earlier-seal.ts';
import { OutageWorld } from '../support/outage-world.ts';
import { createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { encryptionKey as oldKey, type TestService } from '../support/service.ts';

const newKey = 'the key after a rotation, long enough to be one';
const swapped = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };

let world: OutageWorld;
let sender: Sender;

/** A database and a snapshot as version 0.1.0 left them. */
beforeEach(async () => {
  world = await OutageWorld.create();
  const service = await world.start();
  sender = await createSender(service);
  await world.snapshotKept();
  await world.stop(service);
  const sealed = sealAsBefore(oldKey, sender.secret, sender.formId);
  await query('update webhook_secrets set current_ciphertext = $1', [sealed]);
  await query('delete from id_root', []);
  const path = join(world.dataDir, 'spool/directory.snapshot');
  const owner = 'directory snapshot 2';
  const {
    idRoot: _,
    secrets,
    ...kept
  } = deserialize(new SecretBox(oldKey).openBytes(readFileSync(path), owner));
  const rows = secrets.map((row: object) => ({ ...row, currentCiphertext: sealed }));
  writeFileSync(path, sealAsBefore(oldKey, serialize({ ...kept, secrets: rows }), owner));
});
afterEach(() => world.close());

async function query(sql: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: world.outage.databaseUrl });
  await client.connect();
  return client.query(sql, values).finally(() => client.end());
}

/** What version 0.1.0 answers to a key, by its own rules: the bits of version and variant left out. */
function idBefore(key: string): string {
  const secret = Buffer.from(hkdfSync('sha256', oldKey, '', 'leadgate submission ids', 32));
  const workspace = Buffer.from(sender.workspaceId.replaceAll('-', ''), 'hex');
  const hex = createHmac('sha256', secret)
    .update(workspace)
    .update(hashKey(key))
    .update(Buffer.alloc(4))
    .digest('hex');
  return hex.slice(0, 12) + hex.slice(13, 16) + hex.slice(17, 32);
}

async function idOf(service: TestService, key: string): Promise<string> {
  const answer = await post(service, sender, 'server', someLead, { key });
  expect(answer.status).toBe(202);
  const plain = submissionIdOf(answer).replaceAll('-', '');
  return plain.slice(0, 12) + plain.slice(13, 16) + plain.slice(17);
}

test('after an upgrade ids are those of before, on instances that start together, and one root is stored', async () => {
  const services = await Promise.all(
    ['one', 'two', 'three'].map((name) => world.start({ env: { DATA_DIR: join(world.dataDir, name) } })),
  );
  for (const service of services) expect(await idOf(service, 'a')).toBe(idBefore('a'));
  expect((await query('select from id_root', [])).rowCount).toBe(1);
  expect((await post(services[0] as TestService, sender, 'webhook')).status).toBe(202);
});

test('a key that is rotated together with the upgrade changes no id either', async () => {
  const service = await world.start({ env: swapped });
  expect(await idOf(service, 'a')).toBe(idBefore('a'));
  expect((await post(service, sender, 'webhook')).status).toBe(202);
  await world.outage.begin();
  expect(await idOf(service, 'b')).toBe(idBefore('b'));
});

test.each([
  ['alone', {}],
  ['with the key rotated at once', swapped],
])(
  'a snapshot of version 0.1.0 serves a start without PostgreSQL %s, with the ids of before',
  async (_, env) => {
    await world.outage.begin();
    const service = await world.start({ env });
    expect(await idOf(service, 'a')).toBe(idBefore('a'));
    expect((await post(service, sender, 'webhook')).status).toBe(202);
    await world.recover(service);
    expect(await idOf(service, 'a')).toBe(idBefore('a'));
  },
);

test('an instance with a wrong key leaves no root behind that the others could not open', async () => {
  await world.start({ env: { ENCRYPTION_KEY: newKey, DATA_DIR: join(world.dataDir, 'stranger') } });
  expect((await query('select from id_root', [])).rowCount).toBe(0);
  const service = await world.start();
  expect(await idOf(service, 'a')).toBe(idBefore('a'));
  expect((await query('select from id_root', [])).rowCount).toBe(1);
});
