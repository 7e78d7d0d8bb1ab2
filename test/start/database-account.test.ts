import { chownSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import {
  accountName,
  databaseAccount,
  type MachineAccounts,
  machineAccounts,
  ownAccount,
} from '../../src/db/embedded/account.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const isRoot = process.getuid?.() === 0;
const scratch = temporaryDataDir();
afterAll(() => scratch.remove());

/** A machine with these accounts, on which more can be created or not. */
function machine(there: Record<string, number>, canMake: boolean): MachineAccounts & { made: string[] } {
  const uids = new Map(Object.entries(there));
  const made: string[] = [];
  return {
    made,
    named: (name) => (uids.has(name) ? { uid: uids.get(name) as number, gid: 7 } : null),
    make(name) {
      made.push(name);
      if (canMake) uids.set(name, 999);
    },
  };
}

test('a separate account is created once, if possible', () => {
  const accounts = machine({ postgres: 101, nobody: 65_534 }, true);
  expect(ownAccount(accounts).uid).toBe(999);
  expect(ownAccount(accounts).uid).toBe(999);
  expect(accounts.made).toEqual([accountName]);
});

test('if no account can be created, the database runs as postgres, or else as nobody', () => {
  expect(ownAccount(machine({ postgres: 101, nobody: 65_534 }, false)).uid).toBe(101);
  expect(ownAccount(machine({ nobody: 65_534 }, false)).uid).toBe(65_534);
  expect(() => ownAccount(machine({}, false))).toThrow(accountName);
});

test('an existing database keeps its owner, and no account is created for it', () => {
  const dir = join(scratch.path, 'earlier');
  mkdirSync(dir);
  const accounts = machine({}, true);
  // Only root can change the owner. Other users run the database themselves.
  if (isRoot) chownSync(dir, 65_534, 65_534);
  expect(databaseAccount(dir, accounts)).toEqual(isRoot ? { uid: 65_534, gid: 65_534 } : null);
  expect(accounts.made).toEqual([]);
});

test.each([
  ['a new database', null],
  ['a database of an earlier account', 65_534],
])('%s runs as the owner of its files, never as root', async (_name, earlier) => {
  const dataDir = join(scratch.path, `data-${earlier}`);
  const dir = join(dataDir, 'postgres');
  if (earlier !== null) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (isRoot) chownSync(dir, earlier, earlier);
  }
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  await server.stop();
  const own = isRoot
    ? (earlier ?? machineAccounts.named(accountName)?.uid ?? Number(uid))
    : process.getuid?.();
  expect(Number(uid)).toBe(own);
  expect(statSync(join(dir, 'PG_VERSION')).uid).toBe(own);
  expect(own).not.toBe(0);
  rmSync(dataDir, { recursive: true });
});
