import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDirectoryChanges } from '../../src/db/directory/directory.ts';
import { mintSecretKey } from '../../src/domain/browser/signing-keys.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { Directory } from '../../src/ingest/directory/directory.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { createSender } from '../support/sender.ts';
import { encryptionKey as oldKey, startTestService } from '../support/service.ts';

const newKey = 'the key after a rotation, long enough to be one';
const dataDir = temporaryDataDir();
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  dataDir.remove();
});

const rekey = () =>
  warmLeadgate(['rekey', '--json'], {
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir.path,
      PORT: '0',
      ENCRYPTION_KEY: newKey,
      ENCRYPTION_KEY_PREVIOUS: oldKey,
    },
  });

test('the secrets of web pages are encrypted again, and can be read with the new key alone', async () => {
  const service = await startTestService({ databaseUrl: database.url, env: { ENCRYPTION_KEY: oldKey } });
  const { workspaceId, formId } = await createSender(service);
  const path = `/workspaces/${workspaceId}/forms/${formId}/browser`;
  const captcha = { site_key: 'site', secret: 'of the captcha' };
  const settings = { enabled: true, origins: ['https://a.example'], protection: 'turnstile', captcha };
  expect((await service.api('PUT', path, settings)).status).toBe(200);
  const overlap = { overlap_seconds: 3600 };
  const former = (await service.api('POST', `${path}/mint-secret`, overlap)).json.secret;
  const present = (await service.api('POST', `${path}/mint-secret`, overlap)).json.secret;
  await service.stop();

  expect((await rekey()).code).toBe(0);
  const unreadable: string[] = [];
  const directory = new Directory(new SecretBox(newKey), (_, why) => unreadable.push(why));
  directory.apply(await readDirectoryChanges(pool, 0));
  expect(unreadable).toEqual([]);
  const browser = directory.form(formId)?.browser;
  expect(browser?.captcha).toEqual({ siteKey: 'site', secret: 'of the captcha' });
  expect(browser?.mintSecrets.map(({ kid }) => kid)).toEqual(
    [present, former].map((secret) => mintSecretKey(secret).kid),
  );
});
