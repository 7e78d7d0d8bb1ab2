import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { directoryChannel } from '../../src/db/directory/directory.ts';
import { keyHolderName } from '../../src/db/keys/key-holders.ts';
import { sealedColumns } from '../../src/db/keys/sealed-values.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { cliScript, warmLeadgate } from '../support/command-line/command-line.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import {
  encryptionKey as oldKey,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../support/service.ts';

const newKey = 'the key after a rotation, long enough to be one';
const swapped = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };
const [oldBox, newBox] = [new SecretBox(oldKey), new SecretBox(newKey)];

let database: TestDatabase;
let pool: pg.Pool;
let services: TestService[] = [];
const dataDir = temporaryDataDir();

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterEach(async () => {
  for (const service of services) await service.stop();
  services = [];
  await pool.end();
  await database.drop();
  dataDir.remove();
});

async function start(env: Record<string, string>, options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService({ ...options, databaseUrl: database.url, env });
  services.push(service);
  return service;
}

const cliEnv = (keys: Record<string, string>) => ({
  DATABASE_URL: database.url,
  DATA_DIR: dataDir.path,
  PORT: '0',
  ...keys,
});
const cli = (keys: Record<string, string>, ...words: string[]) =>
  warmLeadgate([...words, '--json'], { env: cliEnv(keys) });

interface Row {
  readonly form_id: string;
  readonly current_ciphertext: Buffer;
}

/** Secrets in the order in which rekey takes them. */
async function secretRows(): Promise<Row[]> {
  return (await pool.query('select form_id, current_ciphertext from webhook_secrets order by form_id')).rows;
}

/** Forms of one workspace, enough for rekey to take them in several steps. */
async function manySecrets(sender: Sender, count: number): Promise<void> {
  await pool.query(
    `insert into forms (id, workspace_id, name, slug, active, created_at, revision)
     select gen_random_uuid(), $1, 'Form ' || n, 'form-' || n, true, now(), 0 from generate_series(1, $2) n`,
    [sender.workspaceId, count],
  );
  const { rows } = await pool.query(`select id from forms where revision = 0`);
  const ids = rows.map(({ id }) => id);
  await pool.query(
    `insert into webhook_secrets (form_id, workspace_id, current_ciphertext, set_at, revision)
     select id, $1, sealed, now(), 0 from unnest($2::uuid[], $3::bytea[]) as s (id, sealed)`,
    [sender.workspaceId, ids, ids.map((id) => oldBox.seal(`secret of ${id}`, id))],
  );
}

/** Runs work while rekey waits for the row of one secret, which stands in the middle of its way. */
async function whileRekeyWaits(formId: string, work: (holder: pg.PoolClient, pid: number) => Promise<void>) {
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from webhook_secrets where form_id = $1 for update', [formId]);
  const child = spawn(process.execPath, [cliScript, 'rekey', '--json'], {
    env: { PATH: process.env.PATH ?? '', ...cliEnv(swapped) },
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  const ended = once(child, 'close');
  const waiting = async () =>
    (
      await pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update webhook%'`,
      )
    ).rowCount;
  expect(await eventually(waiting, (count) => count === 1)).toBe(1);
  await work(holder, child.pid as number);
  await holder.query('commit');
  holder.release();
  const [code] = await ended;
  return { code, stdout };
}

/** A standing connection, as an instance has it. */
async function connectAs(applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: applicationName });
  await client.connect();
  await client.query(`listen ${directoryChannel}`);
  return client;
}

test('a rekey that is killed leaves everything readable, and the next one finishes', async () => {
  const service = await start(swapped);
  const sender = await createSender(service);
  await manySecrets(sender, 500);
  const [last] = (await secretRows()).slice(-1) as [Row];
  const { code } = await whileRekeyWaits(last.form_id, async (_, pid) => {
    // What `leadgate` starts as its own process would go on.
    const { rows } = await pool.query(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'update webhook%'`,
    );
    process.kill(pid, 'SIGKILL');
    await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  });
  expect(code).not.toBe(0);
  const half = await secretRows();
  const isNew = ({ current_ciphertext }: Row) => newBox.isCurrent(current_ciphertext);
  expect(half.filter(isNew).length).toBeGreaterThan(100);
  expect(half.filter(isNew).length).toBeLessThan(half.length);
  const box = new SecretBox(newKey, [oldKey]);
  for (const row of half) expect(() => box.open(row.current_ciphertext, row.form_id)).not.toThrow();
  expect((await post(service, sender, 'webhook')).status).toBe(202);
  const again = await eventually(
    () => cli(swapped, 'rekey'),
    ({ code: repeated }) => repeated === 0,
  );
  expect(again, again.stderr).toMatchObject({ code: 0, json: { remaining: 0, closed: [] } });
  expect((await secretRows()).every(isNew)).toBe(true);
  expect((await post(service, sender, 'webhook')).status).toBe(202);
});

test('a secret that is rotated during rekey stays the new one', async () => {
  const service = await start(swapped);
  const sender = await createSender(service);
  await pool.query('update webhook_secrets set current_ciphertext = $1', [
    oldBox.seal('the secret before', sender.formId),
  ]);
  const set = newBox.seal('the secret that was set meanwhile', sender.formId);
  const { code } = await whileRekeyWaits(sender.formId, async (holder) => {
    await holder.query(
      'update webhook_secrets set previous_ciphertext = current_ciphertext, current_ciphertext = $1',
      [set],
    );
  });
  expect(code).toBe(0);
  const { rows } = await pool.query('select * from webhook_secrets');
  expect(newBox.open(rows[0].current_ciphertext, sender.formId)).toBe('the secret that was set meanwhile');
  // And the one that it replaced was found on the next pass.
  expect(newBox.open(rows[0].previous_ciphertext, sender.formId)).toBe('the secret before');
});

test('an instance with the old key that starts during rekey keeps the previous key in use', async () => {
  const service = await start(swapped);
  const sender = await createSender(service);
  const before = oldBox.seal('the secret before', sender.formId);
  await pool.query('update webhook_secrets set current_ciphertext = $1', [before]);
  const late: pg.Client[] = [];
  const { code, stdout } = await whileRekeyWaits(sender.formId, async () => {
    late.push(await connectAs(keyHolderName(oldBox.keyId)));
  });
  for (const client of late) await client.end();
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ remaining: 0, previous_key_needed: true });
});

test('an instance of version 0.1.0 stops rekey, which says to upgrade it first', async () => {
  const service = await start(swapped);
  const sender = await createSender(service);
  const before = oldBox.seal('the secret before', sender.formId);
  await pool.query('update webhook_secrets set current_ciphertext = $1', [before]);
  const earlier = await connectAs('leadgate');
  const refused = await cli(swapped, 'rekey');
  const check = await cli(swapped, 'rekey', '--check');
  await earlier.end();
  expect(refused).toMatchObject({ code: 6, stdout: '' });
  expect(refused.stderr).toContain('runs version 0.1.0');
  expect(refused.stderr).toContain('Upgrade it first');
  expect((await secretRows())[0]?.current_ciphertext).toEqual(before);
  expect(check.json.instances).toEqual([
    { key_id: null, address: null },
    { key_id: newBox.keyId, address: null },
  ]);
});

test('an application name in DATABASE_URL does not hide which key an instance seals with', async () => {
  const databaseUrl = `${database.url}${database.url.includes('?') ? '&' : '?'}application_name=crm`;
  services.push(await startTestService({ databaseUrl, env: { ENCRYPTION_KEY: oldKey } }));
  const refused = await cli(swapped, 'rekey');
  expect(refused).toMatchObject({ code: 6, stdout: '' });
  expect(refused.stderr).toContain(`encrypts with key ${oldBox.keyId}`);
});

test('a value that no key opens stays unchanged and is reported everywhere', async () => {
  const lines: string[] = [];
  const before = await start({ ENCRYPTION_KEY: oldKey });
  const sender = await createSender(before);
  const lost = new SecretBox('a key that nobody has any more').seal('gone', sender.formId);
  await pool.query('update webhook_secrets set current_ciphertext = $1', [lost]);
  await pool.query(`update id_root set sealed = '\\x02'`);
  await before.stop();
  services = [];

  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const service = await start(swapped, { log });
  expect(
    lines.some(
      (line) => line.includes(sender.formId) && line.includes('secret of a form cannot be decrypted'),
    ),
  ).toBe(true);
  expect(lines.some((line) => line.includes('root of submission IDs cannot be decrypted'))).toBe(true);
  expect((await post(service, sender, 'server', '{}', { key: 'k' })).status).toBe(202);
  expect((await post(service, sender, 'webhook')).status).toBe(200);
  const at = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  for (const [path, body] of [
    ['test-lead', {}],
    ['signature-debug', { body: '{}', timestamp: '1', signature: 'a' }],
  ] as const) {
    const { json } = await service.api('POST', `${at}/${path}`, body);
    expect(json).toMatchObject({ status: 409, code: 'secret_unreadable' });
  }
  const done = await cli(swapped, 'rekey');
  expect(done).toMatchObject({
    code: 1,
    json: { closed: [{ what: 'root of submission ids' }, { row: sender.formId }] },
  });
  expect((await secretRows())[0]?.current_ciphertext).toEqual(lost);
  const doctor = await cli(swapped, 'doctor');
  const faults = doctor.json.filter(({ status }: { status: string }) => status === 'fault');
  expect(faults.map(({ check }: { check: string }) => check)).toEqual([
    'encryption key',
    'id root',
    'sealed values',
  ]);
  expect(await cli(swapped, 'rekey', '--check')).toMatchObject({ code: 1 });
  // What ends it when the key is gone for good: a new root, and a new secret from the owner.
  expect((await cli(swapped, 'rekey', '--replace-root')).json.closed).toMatchObject([{ row: sender.formId }]);
  expect(await cli(swapped, 'rekey', '--replace-root')).toMatchObject({ code: 6 });
  const { json } = await service.api('PUT', `${at}/webhook-secret`, {});
  expect((await post(service, { ...sender, secret: json.secret }, 'webhook')).status).toBe(202);
});

test('every column of sealed values is one that rekey knows', async () => {
  const { rows } = await pool.query(
    `select table_name || '.' || column_name as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema = 'public' and data_type = 'bytea' and column_name ~ 'sealed|cipher|response_head' order by 1`,
  );
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name)).toEqual(known.toSorted());
});

test('the doctor says what is left to do in a rotation', async () => {
  const before = await start({ ENCRYPTION_KEY: oldKey });
  await createSender(before);
  await before.stop();
  services = [];
  const rotation = async () => {
    const { json } = await cli(swapped, 'doctor');
    return json.find(({ check }: { check: string }) => check === 'rotation');
  };
  expect(await rotation()).toMatchObject({ status: 'warning', fix: 'leadgate rekey' });
  expect((await cli(swapped, 'rekey')).code).toBe(0);
  expect((await rotation()).fix).toContain('remove ENCRYPTION_KEY_PREVIOUS');
});
