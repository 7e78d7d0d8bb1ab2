import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { startHere } from '../support/service-here.ts';

const dataDir = temporaryDataDir();
const file = join(dataDir.path, 'first-start.txt');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  dataDir.remove();
});

/** What a start says, and what is in the file while it runs. */
async function started() {
  const service = await startHere(dataDir.path, { DATABASE_URL: database.url });
  const kept = readFileSync(file, 'utf8');
  await service.stop();
  return { said: service.output(), kept };
}

test('a start names the commands in first-start.txt only if they are there', async () => {
  for (const { said, kept } of [await started(), await started()]) {
    expect(said).toContain(
      `The link that creates your account, and commands that send a first lead, are in\n${file}\n`,
    );
    expect(kept).toMatch(/ingt_srv_/);
    expect(kept).toMatch(/\(valid until \d{4}-\d\d-\d\d, /);
  }
  rmSync(file);
  for (const { said, kept } of [await started(), await started()]) {
    expect(said).toContain(`The link that creates your account is in\n${file}\n`);
    expect(said).not.toContain('commands');
    expect(kept).toMatch(/\/setup#token=/);
    expect(kept).not.toMatch(/the token|curl/);
  }
});
