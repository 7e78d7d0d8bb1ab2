import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser } from '../support/browser/browser.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { encryptionKey as oldKey, startTestService } from '../support/service.ts';
import { startSmtp, tokenIn } from '../support/smtp.ts';

const newKey = 'the key after a rotation, long enough to be one';
const dataDir = temporaryDataDir();
let database: TestDatabase;
let smtp: Awaited<ReturnType<typeof startSmtp>>;

beforeAll(async () => {
  database = await createTestDatabase();
  smtp = await startSmtp();
});
afterAll(async () => {
  await smtp.stop();
  await database.drop();
  dataDir.remove();
});

test('links in emails that were sent before keep working with the new key alone', async () => {
  const mail = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
  const before = await startTestService({
    databaseUrl: database.url,
    env: { ...mail, ENCRYPTION_KEY: oldKey },
  });
  const workspaceId = await createWorkspace(before);
  const body = { name: 'New leads', kind: 'email', recipients: ['ada@example.com'] };
  const { json } = await before.api('POST', `/workspaces/${workspaceId}/destinations`, body);
  await before.stop();
  const keys = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir.path, PORT: '0', ...keys };
  expect((await warmLeadgate(['rekey', '--json'], { env })).code).toBe(0);

  const after = await startTestService({
    databaseUrl: database.url,
    env: { ...mail, ENCRYPTION_KEY: newKey },
  });
  try {
    const token = tokenIn(smtp.emails[0]);
    const used = await new Browser(after.url).api('POST', '/recipient-links/confirm', { token });
    expect(used.status).toBe(204);
    const read = await after.api('GET', `/workspaces/${workspaceId}/destinations/${json.id}`);
    expect(read.json.recipients).toMatchObject([{ address: 'ada@example.com', status: 'confirmed' }]);
  } finally {
    await after.stop();
  }
});
