import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DirectorySnapshot } from '../../src/db/directory/directory-snapshot.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, join as joinWorkspace } from '../support/browser/browser.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { encryptionKey as oldKey, operatorKey, type TestService } from '../support/service.ts';

const newKey = 'the key after a rotation, long enough to be one';
const newId = new SecretBox(newKey).keyId;
const keys = {
  before: { ENCRYPTION_KEY: oldKey },
  prepared: { ENCRYPTION_KEY: oldKey, ENCRYPTION_KEY_PREVIOUS: newKey },
  swapped: { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey },
  after: { ENCRYPTION_KEY: newKey },
};

let world: OutageWorld;
beforeEach(async () => {
  world = await OutageWorld.create();
});
afterEach(() => world.close());

const start = (env: Record<string, string>, dataDir = world.dataDir) =>
  world.start({ env: { ...env, DATA_DIR: dataDir } });

function rekey(env: Record<string, string>, ...words: string[]) {
  const own = { DATABASE_URL: world.outage.databaseUrl, DATA_DIR: world.dataDir, OPERATOR_KEY: operatorKey };
  return warmLeadgate(['rekey', '--json', ...words], { env: { ...own, ...env } });
}

/** Everything that can be sealed, in the database of a service. */
async function fill(service: TestService): Promise<Sender> {
  const sender = await createSender(service);
  const at = `/workspaces/${sender.workspaceId}`;
  const put = await service.api('PUT', `${at}/forms/${sender.formId}/webhook-secret`, {
    overlap_seconds: 3600,
  });
  await service.api('PUT', `${at}/enrichment-provider`, {
    url: 'https://api.provider-public.com/v1/companies',
    send: 'domain',
    header_name: 'Authorization',
    header_value: 'Bearer the-key-of-the-owner',
    mapping: { 'company.name': 'data.name' },
  });
  await post(service, sender, 'webhook', '{"kept":true}', { secret: 'a wrong one' });
  const kept = () => world.query('select id from held_submissions');
  expect(await eventually(kept, (rows) => rows.length === 1)).toHaveLength(1);
  return { ...sender, secret: put.json.secret };
}

const formerly = (sender: Sender, secret: string): Sender => ({ ...sender, secret });

test('a rotation in the documented order, under leads, rejects none, changes no id and signs nobody out', async () => {
  const roll = async (from: TestService, step: keyof typeof keys) => {
    const next = await start(keys[step], join(world.dataDir, step));
    await world.stop(from);
    return next;
  };
  let service = await start(keys.before);
  const first = await createSender(service);
  const sender = await fill(service);
  const workspace = await createWorkspace(service);
  const browser = await joinWorkspace(service, workspace, 'ada@example.com', 'member');
  const isSignedIn = async () => {
    const same = new Browser(service.url);
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    return (await same.api('GET', '/me')).status;
  };
  const timestamp = String(Math.floor(systemClock.now() / 1000));
  const repeats = async () => [
    (await post(service, sender, 'server', someLead, { key: 'order 1' })).body,
    (await post(service, sender, 'webhook', someLead, { key: 'order 2' })).body,
    (await post(service, sender, 'webhook', '{"signed":1}', { timestamp })).body,
  ];
  const answers = await repeats();
  for (const answer of answers) expect(answer).toContain('submission_id');

  service = await roll(service, 'prepared');
  expect(await repeats()).toEqual(answers);
  service = await roll(service, 'swapped');
  expect(await repeats()).toEqual(answers);
  expect(await isSignedIn()).toBe(200);
  const unfinished = await rekey(keys.swapped, '--check');
  expect(unfinished).toMatchObject({ code: 1, json: { previous_key_needed: true } });

  // Leads keep arriving while everything is encrypted again.
  const during: number[] = [];
  let isDone = false;
  const leads = (async () => {
    for (let n = 0; !isDone; n++)
      for (const surface of ['server', 'webhook'] as const)
        during.push((await post(service, n % 2 === 0 ? sender : first, surface, `{"n":${n}}`)).status);
  })();
  const done = await rekey(keys.swapped);
  isDone = true;
  await leads;
  expect(done, done.stderr).toMatchObject({
    code: 0,
    json: { key_id: newId, resealed: 7, remaining: 0, closed: [], previous_key_needed: false },
  });
  expect(during.length).toBeGreaterThan(1);
  expect(new Set(during)).toEqual(new Set([202]));
  // The copy that a running instance keeps for an outage is encrypted again too, wherever it runs.
  const snapshot = new DirectorySnapshot(join(world.dataDir, 'swapped/spool'), new SecretBox(newKey));
  expect(
    await eventually(
      () => snapshot.state(),
      (state) => state === 'current',
    ),
  ).toBe('current');
  const check = await rekey(keys.swapped, '--check');
  expect(check, check.stderr).toMatchObject({ code: 0, json: { previous_key_needed: false } });
  expect(check.json.values.every((value: { state: string }) => value.state === 'current')).toBe(true);
  expect(check.json.instances).toEqual([{ key_id: newId, address: null }]);

  service = await roll(service, 'after');
  expect(await repeats()).toEqual(answers);
  expect((await post(service, first, 'webhook')).status).toBe(202);
  // A cookie of the old key that was not renewed meanwhile ends with that key.
  expect(await isSignedIn()).toBe(401);
  // The same ids also where nobody can look them up.
  await world.snapshotKept(newKey, join(world.dataDir, 'after'));
  await world.outage.begin();
  expect(await repeats()).toEqual(answers);
  expect(await metricOf(service, 'leadgate_database_available')).toBe(0);
  await world.recover(service);
  const ids = (await leadsOf(service, sender)).map((lead) => lead.submission_id);
  for (const answer of answers) expect(ids.filter((id) => answer.includes(id))).toHaveLength(1);
});

test('after a rotation, a start without PostgreSQL accepts leads with a snapshot of the previous key and the same ids', async () => {
  const before = await start(keys.before);
  const sender = await createSender(before);
  const first = await post(before, sender, 'server', someLead, { key: 'a' });
  await world.snapshotKept();
  await world.stop(before);
  await world.outage.begin();
  const next = await start(keys.swapped);
  const repeat = await post(next, sender, 'server', someLead, { key: 'a' });
  expect(repeat).toMatchObject({ status: 202, body: first.body });
  expect((await post(next, sender, 'webhook')).status).toBe(202);
  await world.recover(next);
  const ids = (await leadsOf(next, sender)).map((lead) => lead.submission_id);
  expect(ids.filter((id) => id === submissionIdOf(first))).toHaveLength(1);
  expect(ids).toHaveLength(2);
});

test('after leadgate rekey with the service stopped, a start without PostgreSQL needs only the new key', async () => {
  const before = await start(keys.before);
  const sender = await createSender(before);
  const first = await post(before, sender, 'server', someLead, { key: 'a' });
  await world.snapshotKept();
  await world.stop(before);
  const done = await rekey(keys.swapped);
  expect(done, done.stderr).toMatchObject({ code: 0 });
  await world.outage.begin();
  const next = await start(keys.after);
  expect((await post(next, sender, 'server', someLead, { key: 'a' })).body).toBe(first.body);
  expect((await post(next, sender, 'webhook')).status).toBe(202);
});

test('an instance that still seals with the old key stops rekey, which changes nothing', async () => {
  const service = await start(keys.before);
  await createSender(service);
  const sealed = () => world.query('select current_ciphertext from webhook_secrets');
  const before = await sealed();
  const refused = await rekey(keys.swapped);
  expect(refused).toMatchObject({ code: 6, stdout: '' });
  expect(refused.stderr).toContain('Restart it with the new key first');
  expect(await sealed()).toEqual(before);
});

test('during an overlap, both secrets are sealed again and both are valid', async () => {
  const old = await start(keys.before);
  const sender = await createSender(old);
  const former = sender.secret;
  const at = `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`;
  const { json } = await old.api('PUT', at, { overlap_seconds: 3600 });
  await world.stop(old);
  expect((await rekey(keys.swapped)).json).toMatchObject({ resealed: 3 });
  const service = await start(keys.after);
  for (const secret of [former, json.secret])
    expect(
      (await post(service, formerly(sender, secret), 'webhook', JSON.stringify({ secret }))).status,
    ).toBe(202);
});
