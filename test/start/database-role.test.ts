import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit.ts';
import { readConfig } from '../../src/config.ts';
import { explainStartError } from '../../src/start/process/start-error.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { dropDatabase } from '../support/database/database.ts';
import { databaseUrl } from '../support/database/postgres.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, post, someLead } from '../support/sender.ts';
import { encryptionKey, operatorKey, startTestService } from '../support/service.ts';

const docs = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const [createdAsDocumented = '', grantedAsDocumented = ''] = [
  ...docs.slice(docs.indexOf('## The role of DATABASE_URL')).matchAll(/```sql\n(.*?)```/gs),
].map(([, sql]) => sql as string);

const unique = `leadgate_${randomBytes(6).toString('hex')}`;
/** Both the role and the database are called leadgate in the docs. */
const renamed = (sql: string) => sql.replaceAll('leadgate', unique);
const url = databaseUrl(inject('serverUrl'), unique, unique);

async function asSuperuser(sql: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(inject('serverUrl'), database) });
  await client.connect();
  // One after the other: a database cannot be created in a transaction.
  for (const statement of sql.split(';\n').filter((each) => each.trim() !== ''))
    await client.query(statement);
  await client.end();
}

const grant = () => asSuperuser(renamed(grantedAsDocumented), unique);

/** A new start on a database of the superuser, in which the role may do only what it was granted. */
beforeEach(async () => {
  await dropDatabase(unique);
  await asSuperuser(
    `create database ${unique} template template0;\nrevoke all on database ${unique} from public`,
  );
});
beforeAll(() => asSuperuser(`create role ${unique} login`));
afterAll(async () => {
  await dropDatabase(unique);
  await asSuperuser(`drop role ${unique}`);
});

async function acceptsLeads(): Promise<void> {
  const service = await startTestService({ databaseUrl: url });
  const sender = await createSender(service);
  for (const surface of ['server', 'webhook'] as const)
    expect((await post(service, sender, surface, someLead)).status).toBe(202);
  expect(await leadsOf(service, sender)).toHaveLength(2);
  await service.stop();
}

test('services in tests connect as an ordinary role', async () => {
  const client = new pg.Client({
    connectionString: databaseUrl(inject('serverUrl'), 'leadgate', inject('ownerRole')),
  });
  await client.connect();
  const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user');
  await client.end();
  expect(rows).toEqual([{ rolsuper: false }]);
});

test('a role and a database that are created as documented are enough for the migrations and for leads', async () => {
  await dropDatabase(unique);
  await asSuperuser(`drop role ${unique}`);
  await asSuperuser(renamed(createdAsDocumented));
  await acceptsLeads();
});

test('a role that does not own the database needs only the documented grants', async () => {
  await grant();
  await acceptsLeads();
});

/** The errors of a start and of the command, for the same database. */
async function refusals() {
  const env = {
    DATABASE_URL: url,
    DATA_DIR: '/nonexistent',
    OPERATOR_KEY: operatorKey,
    ENCRYPTION_KEY: encryptionKey,
  };
  const error = await startTestService({ databaseUrl: url }).catch((thrown) =>
    explainStartError(thrown, readConfig(env)),
  );
  return { start: error as Error, command: await warmLeadgate(['migrate'], { env }) };
}

test('a migration that PostgreSQL refuses is named, with what is missing, and is no refused login', async () => {
  await grant();
  await asSuperuser('create function hold_buckets(bigint[]) returns void language sql as $$ $$', unique);
  const { start, command } = await refusals();
  const sentence =
    'PostgreSQL refused the migration 0029_buckets: must be owner of function hold_buckets. docs/configuration.md lists what the role of DATABASE_URL needs.';
  expect(start.message).toBe(sentence);
  expect(command.stderr).toContain(sentence);
  expect(command.code).toBe(exitCodes.failure.code);
});

test('a migration that stays refused can be applied once its cause is gone', async () => {
  await grant();
  await asSuperuser('create table leads ()', unique);
  const { start } = await refusals();
  expect(start.message).toBe('PostgreSQL refused the migration 0002_leads: relation "leads" already exists.');
  await asSuperuser('drop table leads', unique);
  await acceptsLeads();
});

test('a role without any grant is told that it lacks a permission, and not that its login was refused', async () => {
  const { start } = await refusals();
  expect(start.message).toContain(
    'DATABASE_URL: its role lacks a permission: permission denied for database',
  );
  expect(start.message).toContain('docs/configuration.md');
});
