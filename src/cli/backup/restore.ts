import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { databaseAccount, giveTo } from '../../db/embedded/account.ts';
import { clearLeftovers } from '../../db/embedded/cluster.ts';
import { CliError } from '../exit.ts';
import type { BackupProgress } from './backup.ts';
import { copyFile, forAll, readThrough } from './copy-tree.ts';
import {
  asideName,
  isPutAside,
  lockStopped,
  partNames,
  partsThere,
  placeOf,
  requireEmbedded,
} from './data-directory.ts';
import { keyFingerprint, type Manifest, readManifest } from './manifest.ts';

const damagedShown = 5;

/**
 * Puts a backup back. Everything is checked before anything is touched; what was there is put aside, never deleted; and the
 * database gets its name last, so that an interrupted restore cannot be taken for a whole one.
 */
export async function restore(
  config: Config,
  folder: string,
  isOverwriting: boolean,
  progress: BackupProgress,
): Promise<Manifest> {
  const backup = resolve(folder);
  requireEmbedded(config);
  const manifest = readManifest(backup);
  requireKey(config, manifest);
  await verify(backup, manifest, progress);
  mkdirSync(config.dataDir, { recursive: true });
  const lock = await lockStopped(config);
  try {
    await makeRoom(config, isOverwriting, progress);
    await copyBack(config, backup, manifest, progress);
    return manifest;
  } finally {
    await lock.release();
  }
}

/** A database whose secrets cannot be opened would look whole and reject every webhook. */
function requireKey(
  { hasOwnEncryptionKey, encryptionKey, previousEncryptionKeys }: Config,
  { encryption_key: kept }: Manifest,
): void {
  const isKnown = [encryptionKey, ...previousEncryptionKeys].some(
    (key) => keyFingerprint(key) === kept.fingerprint,
  );
  if (hasOwnEncryptionKey && !isKnown)
    throw new CliError(
      'conflict',
      'ENCRYPTION_KEY is not the key of this backup, and would not open its secrets.',
    );
  if (kept.kept_in === 'environment' && !hasOwnEncryptionKey)
    throw new CliError(
      'usage',
      'The encryption key is not in this backup: set ENCRYPTION_KEY to the one it was made with.',
    );
}

async function verify(backup: string, { files }: Manifest, progress: BackupProgress): Promise<void> {
  progress.say(`Checking ${files.length} files.`);
  let done = 0;
  const verdicts = await forAll(files, async ({ path, bytes, sha256 }) => {
    const found = await readThrough(join(backup, path)).catch(() => null);
    progress.show(++done, files.length);
    return found?.bytes === bytes && found.sha256 === sha256;
  });
  const damaged = files.filter((_, place) => !verdicts[place]).map(({ path }) => path);
  if (damaged.length === 0) return;
  const shown = damaged.slice(0, damagedShown).join(', ');
  const more = damaged.length > damagedShown ? ` and ${damaged.length - damagedShown} more` : '';
  throw new CliError('failure', `The backup is damaged, and nothing was restored: ${shown}${more}`);
}

async function makeRoom(config: Config, isOverwriting: boolean, progress: BackupProgress): Promise<void> {
  const there = partsThere(config);
  if (there.length === 0) return;
  if (!isOverwriting)
    throw new CliError(
      'conflict',
      `${config.dataDir} is not empty (${there.join(', ')}). Choose another DATA_DIR, or add --overwrite.`,
    );
  const dir = placeOf(config, partNames.cluster);
  await clearLeftovers({ dir, account: null });
  const name = asideName();
  for (const part of there) putAside(config, part, name);
  progress.say(`What was there is in ${join(config.dataDir, name)} now. Delete it when you need it no more.`);
}

/** Inside the same folder, because that may be a volume of its own, out of which nothing can be moved. */
function putAside(config: Config, part: string, name: string): void {
  if (part !== partNames.spool) {
    const aside = join(config.dataDir, name);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(placeOf(config, part), join(aside, part));
    return;
  }
  const aside = join(config.spoolDir, name);
  mkdirSync(aside, { mode: 0o700 });
  for (const item of readdirSync(config.spoolDir))
    if (!isPutAside(item)) renameSync(join(config.spoolDir, item), join(aside, item));
}

async function copyBack(
  config: Config,
  backup: string,
  manifest: Manifest,
  progress: BackupProgress,
): Promise<void> {
  const cluster = placeOf(config, partNames.cluster);
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  // As root, the database runs as a user of its own and needs its files to be that user's.
  const account = databaseAccount(cluster);
  const isOfCluster = (path: string) => path.split('/')[0] === partNames.cluster;
  const target = (path: string) => {
    const [part = '', ...below] = path.split('/');
    return join(isOfCluster(path) ? unfinished : placeOf(config, part), ...below);
  };
  for (const { path, mode } of manifest.folders) {
    mkdirSync(target(path), { recursive: true, mode });
    if (isOfCluster(path)) giveTo(target(path), account);
  }
  let done = 0;
  progress.say(`Copying ${manifest.files.length} files.`);
  await forAll(manifest.files, async ({ path, mode }) => {
    await copyFile(join(backup, path), target(path), mode);
    if (isOfCluster(path)) giveTo(target(path), account);
    progress.show(++done, manifest.files.length);
  });
  renameSync(unfinished, cluster);
}
