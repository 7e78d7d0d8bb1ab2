import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DirectorySnapshot } from '../../src/db/directory/directory-snapshot.ts';
import { postgresIngest } from '../../src/db/ingest/postgres-ingest.ts';
import { SubmissionIds } from '../../src/domain/lead/submission-id.ts';
import { deriveIdRoot } from '../../src/domain/secrets/id-root.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { Directory } from '../../src/ingest/directory/directory.ts';
import { DirectorySync, directoryPollMs } from '../../src/ingest/directory/directory-sync.ts';
import { IdRootReader } from '../../src/ingest/directory/id-root-reader.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({ databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

test('polling finds a change within a second even if its notification is lost', () => {
  expect(directoryPollMs).toBeLessThanOrEqual(500);
});

test('an instance can stop while its listener waits for a database that does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const isAsked = once(silent, 'connection');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pool = openTestPool(service.databaseUrl);
  const key = 'x'.repeat(32);
  const secretBox = new SecretBox(key);
  const ids = new SubmissionIds(deriveIdRoot(key));
  const log = pino({ level: 'silent' });
  const scratch = temporaryDataDir();
  const sync = new DirectorySync({
    directory: new Directory(secretBox, () => {}),
    idRoot: new IdRootReader({ followers: [ids], secretBox, keys: [key], log }),
    database: postgresIngest({
      pool,
      databaseUrl: `postgres://nobody@127.0.0.1:${port}/none`,
      deadlineMs: 1_000,
      citusRoute: 'direct',
      keyId: secretBox.keyId,
    }),
    snapshot: new DirectorySnapshot(scratch.path, secretBox),
    clock: service.clock,
    log,
  });
  const starting = sync.start();
  const [socket] = await isAsked;
  await sync.stop();
  await expect(starting).rejects.toThrow();
  socket.destroy();
  silent.close();
  await pool.end();
  scratch.remove();
});

test('a new form, token and secret work immediately on this instance and soon on another', async () => {
  const sender = await createSender(service);
  expect((await post(service, sender, 'server')).status).toBe(202);
  expect((await post(service, sender, 'webhook')).status).toBe(202);
  const there = () => post(second, sender, 'webhook');
  expect((await eventually(there, ({ status }) => status === 202)).status).toBe(202);
});

test('a revoked token is rejected immediately on this instance and soon on another', async () => {
  const sender = await createSender(service);
  const there = () => post(second, sender, 'server');
  await eventually(there, ({ status }) => status === 202);
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/tokens/${sender.tokenId}`);
  expect((await post(service, sender, 'server')).status).toBe(200);
  expect((await eventually(there, ({ status }) => status === 200)).status).toBe(200);
});

test('scoring settings apply immediately on this instance and soon on another', async () => {
  const sender = await createSender(service);
  const at = `/workspaces/${sender.workspaceId}`;
  const scored = async (instance: TestService) => {
    const answer = await post(instance, sender, 'server', '{"email":"someone@mailinator.com"}');
    if (answer.status !== 202) return null;
    return (await service.api('GET', `${at}/leads/${submissionIdOf(answer)}`)).json.verdict;
  };
  expect(
    await eventually(
      () => scored(second),
      (verdict) => verdict !== null,
    ),
  ).toBe('suspect');
  const settings = { disabled: ['EMAIL_DISPOSABLE'] };
  await service.api('PUT', `${at}/forms/${sender.formId}/scoring`, { settings });
  expect(await scored(service)).toBe('clean');
  expect(
    await eventually(
      () => scored(second),
      (verdict) => verdict === 'clean',
    ),
  ).toBe('clean');
});

test('a change of the slug moves the form to its new URL and frees the old one', async () => {
  const sender = await createSender(service);
  const slug = `${sender.slug}-moved`;
  await service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, { slug });
  expect((await post(service, sender, 'webhook')).status).toBe(200);
  expect((await post(service, { ...sender, slug }, 'webhook')).status).toBe(202);
});

test('an instance that starts later knows all earlier changes', async () => {
  const sender = await createSender(service);
  const late = await startTestService({ databaseUrl: service.databaseUrl });
  expect((await post(late, sender, 'webhook')).status).toBe(202);
  await late.stop();
});

test('an instance that cannot decrypt one secret still reads everything else', async () => {
  const other = await startTestService({
    databaseUrl: service.databaseUrl,
    env: { ENCRYPTION_KEY: 'another key than everybody else has' },
  });
  const sender = await createSender(service);
  const there = () => post(other, sender, 'server');
  expect((await eventually(there, ({ status }) => status === 202)).status).toBe(202);
  expect((await post(other, sender, 'webhook')).status).toBe(200);
  await other.stop();
});
