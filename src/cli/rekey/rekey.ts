import type pg from 'pg';
import type { Config } from '../../config.ts';
import { readDirectoryChanges } from '../../db/directory/directory.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { DirectorySnapshot, type SnapshotState } from '../../db/directory/directory-snapshot.ts';
import { findIdRoot, replaceIdRoot, storeFirstIdRoot } from '../../db/keys/id-root.ts';
import { type KeyHolder, listKeyHolders, withRekeyLock } from '../../db/keys/key-holders.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { inTransaction } from '../../db/pool.ts';
import { deriveIdRoot, idRootOwner, sealIdRoot } from '../../domain/secrets/id-root.ts';
import { SecretBox } from '../../domain/secrets/secret-box.ts';
import { databaseError, hasCluster, withDatabase } from '../database.ts';
import { CliError } from '../exit.ts';
import { makeNewKey, retirePreviousKey } from './key-files.ts';
import { type CensusLine, type ClosedValue, census, resealAll } from './reseal.ts';

const everything = -1;

export interface RekeyWishes {
  /** For a key in DATA_DIR: creates a new one first. */
  readonly newKey: boolean;
  /** Continues even if a connected instance encrypts with another key. */
  readonly force: boolean;
  /** Replaces a root of ids that no key decrypts. */
  readonly replaceRoot: boolean;
}

export interface Rekeyed {
  readonly keyId: string;
  readonly resealed: number;
  readonly closed: readonly ClosedValue[];
  /** Values that are still encrypted with other known keys. */
  readonly remaining: number;
  readonly hasPreviousKey: boolean;
  /** True also while an instance encrypts with another key. */
  readonly isPreviousNeeded: boolean;
  /** Where the previous key is now, if it came from a file. */
  readonly retired: string | null;
  /** Why the snapshot on this machine could not be replaced; null if it was, or if there is none. */
  readonly snapshotError: string | null;
}

/** Null if a new key was created but the service must restart before anything can be encrypted with it. */
export function rekey(
  readConfig: () => Config,
  { newKey, force, replaceRoot }: RekeyWishes,
  show: (done: number, total: number) => void,
): Promise<Rekeyed | null> {
  const work = async (pool: pg.Pool) => {
    const holders = await listKeyHolders(pool);
    if (!force) requireNoEarlierVersion(holders);
    if (newKey) {
      requireOneInstance(holders);
      const before = readConfig();
      // Not later: with two keys, an installation without secrets could not tell which key the ids derive from.
      if (before.encryptionKey !== '') await storeRoot(pool, before);
      makeNewKey(before);
    }
    const config = readConfig();
    const box = boxOf(config);
    const others = holders.filter(({ keyId }) => keyId !== box.keyId);
    if (newKey && others.length > 0) return null;
    if (!force) requireSameKey(others, box);
    await storeRoot(pool, config);
    if (replaceRoot) await replaceLostRoot(pool, config, box);
    const { resealed, closed } = await resealAll(pool, box, show);
    const snapshotError = await replaceSnapshot(pool, config, box);
    await tellInstances(pool);
    const lines = await census(pool);
    const remaining = Math.max(0, countOtherwise(lines, box) - closed.length);
    // List again: an instance with another key may have started.
    const isAlone = (await listKeyHolders(pool)).every(({ keyId }) => keyId === box.keyId);
    const isDone = remaining === 0 && snapshotError === null && isAlone;
    return {
      keyId: box.keyId,
      resealed,
      closed,
      remaining,
      isPreviousNeeded: !isDone && config.previousEncryptionKeys.length > 0,
      hasPreviousKey: config.previousEncryptionKeys.length > 0,
      retired: isDone ? retirePreviousKey(config, box.previousKeyIds[0]) : null,
      snapshotError,
    };
  };
  return onDatabase(readConfig(), (pool) => alone(pool, work));
}

export interface KeyReport {
  readonly keyId: string;
  readonly previousKeyIds: readonly string[];
  readonly lines: readonly CensusLine[];
  readonly snapshot: SnapshotState;
  readonly holders: readonly KeyHolder[];
  /** True while something still needs the previous keys. */
  readonly isPreviousNeeded: boolean;
  /** Values whose key is missing. */
  readonly lost: number;
}

/** Changes nothing. */
export function reportKeys(config: Config): Promise<KeyReport> {
  return onDatabase(config, async (pool) => {
    const box = boxOf(config);
    const lines = await census(pool);
    const snapshot = await snapshotOf(config, box).state();
    const holders = await listKeyHolders(pool);
    const { keyId, previousKeyIds } = box;
    const known = [keyId, ...previousKeyIds];
    const lost = lines.filter((line) => line.keyId !== null && !known.includes(line.keyId));
    return {
      keyId,
      previousKeyIds,
      lines,
      snapshot,
      holders,
      isPreviousNeeded:
        previousKeyIds.length > 0 &&
        (countOtherwise(lines, box) > sum(lost) ||
          snapshot === 'earlier' ||
          holders.some((holder) => holder.keyId !== keyId)),
      lost: sum(lost),
    };
  });
}

function countOtherwise(lines: readonly CensusLine[], { keyId }: SecretBox): number {
  return sum(lines.filter((line) => line.keyId !== keyId));
}

function sum(lines: readonly CensusLine[]): number {
  return lines.reduce((total, { count }) => total + count, 0);
}

function boxOf({ encryptionKey, previousEncryptionKeys, dataDir }: Config): SecretBox {
  if (encryptionKey === '')
    throw new CliError('missing', `There is no ENCRYPTION_KEY, and no key in ${dataDir}.`);
  return new SecretBox(encryptionKey, previousEncryptionKeys);
}

function snapshotOf({ spoolDir }: Config, box: SecretBox): DirectorySnapshot {
  return new DirectorySnapshot(spoolDir, box);
}

/** Other instances do not read the key file of this machine. */
function requireOneInstance(holders: readonly KeyHolder[]): void {
  if (holders.length <= 1) return;
  throw new CliError(
    'conflict',
    `${holders.length} instances are connected, but only one of them would get a new key from this DATA_DIR. Set ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS on all of them instead. See docs/operating.md.`,
  );
}

/** It could not decrypt anything that is encrypted now. */
function requireNoEarlierVersion(holders: readonly KeyHolder[]): void {
  const earlier = holders.find(({ keyId }) => keyId === null);
  if (earlier === undefined) return;
  throw new CliError(
    'conflict',
    `An instance ${placeOf(earlier)} runs version 0.1.0, which cannot decrypt what this version encrypts. Upgrade it first. See docs/upgrading.md.`,
  );
}

function placeOf({ address }: KeyHolder): string {
  return address === null ? 'on the database machine' : `at ${address}`;
}

/** It would keep encrypting with its own key, and may not be able to decrypt what we encrypt. */
function requireSameKey(others: readonly KeyHolder[], { keyId }: SecretBox): void {
  const [first] = others;
  if (first === undefined) return;
  throw new CliError(
    'conflict',
    `An instance ${placeOf(first)} encrypts with key ${first.keyId}, not with ${keyId}. Restart it with the new key first. See docs/operating.md.`,
  );
}

/** Otherwise, upgrading and rotating before the first start would create another root, and so other ids. */
function storeRoot(pool: pg.Pool, config: Config): Promise<void> {
  const { encryptionKey, previousEncryptionKeys } = config;
  const keys = [encryptionKey, ...previousEncryptionKeys] as const;
  return storeFirstIdRoot(pool, keys, snapshotOf(config, boxOf(config)));
}

/** The new root is the one that the services are using now. */
async function replaceLostRoot(pool: pg.Pool, { encryptionKey }: Config, box: SecretBox): Promise<void> {
  const sealed = await findIdRoot(pool);
  if (sealed === null || box.placeOf(sealed, idRootOwner) !== null)
    throw new CliError(
      'conflict',
      'There is nothing to replace: the root of submission IDs can be decrypted, or does not exist.',
    );
  await replaceIdRoot(pool, sealed, sealIdRoot(box, deriveIdRoot(encryptionKey)));
}

/** Read again from the database, so that it has the newly encrypted secrets. */
async function replaceSnapshot(pool: pg.Pool, config: Config, box: SecretBox): Promise<string | null> {
  const snapshot = snapshotOf(config, box);
  try {
    if ((await snapshot.state()) !== 'none')
      await snapshot.write(await readDirectoryChanges(pool, everything));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A new revision without a changed row: every running instance writes a new snapshot without reading secrets again. */
async function tellInstances(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, nextDirectoryRevision);
}

/** Two at the same time could create two keys. */
async function alone<T>(pool: pg.Pool, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const done = await withRekeyLock(pool, async () => ({ result: await work(pool) }));
  if (done === null)
    throw new CliError('conflict', 'Another leadgate rekey is running. Wait for it to finish.');
  return done.result;
}

async function onDatabase<T>(config: Config, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null && !hasCluster(config))
    throw new CliError('missing', `There is no database in ${dataDir}. Set DATA_DIR to the right folder.`);
  try {
    return await withDatabase(config, async (pool) => {
      if ((await pendingMigrations(pool)).length > 0)
        throw new CliError(
          'failure',
          'The database schema is out of date. Start the service, or run leadgate migrate.',
        );
      return await work(pool);
    });
  } catch (error) {
    throw databaseError(error);
  }
}
