import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signingSecretOwner } from '../../src/domain/enrichment/provider-secrets.ts';
import { hashKey } from '../../src/domain/lead/idempotency.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { sealAsBefore } from '../support/database/earlier-seal.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { encryptionKey as oldKey, type TestService } from '../support/service.ts';

const newKey = 'the key after a rotation, long enough to be one';
const swapped = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };

let earlier: OutageWorld;
let world: OutageWorld;
let sender: Sender;

/** A database and a snapshot as version 0.1.0 left them. */
beforeAll(async () => {
  earlier = await OutageWorld.create();
  world = earlier;
  const service = await world.start();
  sender = await createSender(service);
  await world.snapshotKept();
  await world.stop(service);
  const sealed = sealAsBefore(oldKey, sender.secret, sender.formId);
  await query('update webhook_secrets set current_ciphertext = $1', [sealed]);
  await query('delete from id_root', []);
  keepSnapshot((rows) => rows.map((row) => ({ ...row, currentCiphertext: sealed })));
});
afterAll(() => earlier.close());

beforeEach(async () => {
  world = await OutageWorld.create(earlier);
  cpSync(earlier.dataDir, world.dataDir, { recursive: true });
});
afterEach(() => world.close());

const snapshotPath = () => join(world.dataDir, 'spool/directory.snapshot');

/** Seals the snapshot as that version did. */
function keepSnapshot(secretsOf: (rows: object[]) => object[]): void {
  const owner = 'directory snapshot 2';
  const {
    idRoot: _,
    secrets,
    ...kept
  } = deserialize(new SecretBox(oldKey).openBytes(readFileSync(snapshotPath()), owner));
  writeFileSync(
    snapshotPath(),
    sealAsBefore(oldKey, serialize({ ...kept, secrets: secretsOf(secrets) }), owner),
  );
}

/** An installation whose senders have tokens only. */
async function withoutSecrets(): Promise<void> {
  await query('delete from webhook_secrets', []);
  keepSnapshot(() => []);
}

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

test('after an upgrade ids stay the same on instances that start together, and one root is stored', async () => {
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

test.each([
  ['a snapshot', async () => {}],
  [
    'a secret of an enrichment provider',
    async () => {
      rmSync(snapshotPath());
      const sealed = sealAsBefore(oldKey, 'secret', signingSecretOwner(sender.workspaceId));
      await query(
        `insert into enrichment_providers (workspace_id, url, send, signing_ciphertext, mapping, revision, updated_at)
         values ($1, 'https://api.provider-public.com', 'domain', $2, '{}', 1, now())`,
        [sender.workspaceId, sealed],
      );
    },
  ],
  [
    'a kept request',
    async () => {
      rmSync(snapshotPath());
      const id = randomUUID();
      await query(
        `insert into held_submissions (shard, workspace_id, id, form_id, surface, reason, class, received_at, request_id,
           body_bytes, body_hash, sealed, expires_at)
         values (1, $1, $2, $3, 'webhook', 'signature_mismatch', 'D', now(), 'request', 0, '', $4, now() + interval '1 day')`,
        [sender.workspaceId, id, sender.formId, sealAsBefore(oldKey, 'kept', `rejection ${id}`)],
      );
    },
  ],
])('without webhook secrets, %s tells which key ids derive from', async (_, leave) => {
  await withoutSecrets();
  await leave();
  const service = await world.start({ env: swapped });
  expect(await idOf(service, 'a')).toBe(idBefore('a'));
});

test('without webhook secrets, a start without PostgreSQL and with a rotated key gives the same ids', async () => {
  await withoutSecrets();
  await world.outage.begin();
  const service = await world.start({ env: swapped });
  expect(await idOf(service, 'a')).toBe(idBefore('a'));
  await world.recover(service);
  expect(await idOf(service, 'b')).toBe(idBefore('b'));
});

describe('rekey before the first start of the new version changes no id', () => {
  const rekey = (env: Record<string, string>, ...words: string[]) =>
    warmLeadgate(['rekey', '--json', ...words], {
      env: { DATABASE_URL: world.outage.databaseUrl, DATA_DIR: world.dataDir, ...env },
    });

  test('with both keys in the environment', async () => {
    const done = await rekey(swapped);
    expect(done, done.stderr).toMatchObject({ code: 0, json: { previous_key_needed: false } });
    const service = await world.start({ env: { ENCRYPTION_KEY: newKey } });
    expect(await idOf(service, 'a')).toBe(idBefore('a'));
    expect((await post(service, sender, 'webhook')).status).toBe(202);
  });

  test.each([
    ['with webhook secrets', async () => {}],
    [
      'with nothing that is sealed',
      async () => {
        await withoutSecrets();
        rmSync(snapshotPath());
      },
    ],
  ])('with a new key in DATA_DIR, %s', async (_, prepare) => {
    await prepare();
    const path = join(world.dataDir, 'encryption.key');
    writeFileSync(path, oldKey);
    const done = await rekey({}, '--new-key');
    expect(done, done.stderr).toMatchObject({ code: 0, json: { restart_needed: false } });
    const service = await world.start({ env: { ENCRYPTION_KEY: readFileSync(path, 'utf8').trim() } });
    expect(await idOf(service, 'a')).toBe(idBefore('a'));
  });
});
