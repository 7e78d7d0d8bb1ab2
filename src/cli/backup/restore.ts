import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { type DatabaseAccount, databaseAccount, giveTo } from '../../db/embedded/account.ts';
import { clearLeftovers } from '../../db/embedded/cluster.ts';
import { markRestore, unmarkRestore } from '../../db/embedded/restore-mark.ts';
import { encryptionKeyFile } from '../../key-files.ts';
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
  stageName,
} from './data-directory.ts';
import { HeldFolder } from './held-folder.ts';
import { keyFingerprint, type Manifest, readManifest } from './manifest.ts';
import { plainFileMode, plainFolderMode, requirePlain } from './plain-paths.ts';

const damagedShown = 5;

/**
 * Restores a backup. Everything is checked and copied before existing data is touched; existing data is moved aside, never
 * deleted. While the parts are swapped, a marker file keeps services from starting.
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
  requirePlain(backup, manifest);
  requireKey(config, backup, manifest);
  await verify(backup, manifest, progress);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockStopped(config);
  const held: HeldFolder[] = [];
  const hold = (folder: HeldFolder) => {
    held.push(folder);
    return folder;
  };
  try {
    const parts = new Set(manifest.files.map(({ path }) => path.split('/')[0] as string));
    const there = requireRoom(config, parts, isOverwriting);
    const data = hold(HeldFolder.open(config.dataDir));
    const target = { data, spool: hold(spoolFolder(config, data, hold)) };
    const owners = ownersOf(config, target);
    const stage = {
      data: hold(HeldFolder.openOwnIn(target.data, stageName)),
      spool: hold(HeldFolder.openOwnIn(target.spool, stageName)),
    };
    await copyToStage(stage, backup, manifest, owners, progress);
    await clearLeftovers({ dir: placeOf(config, partNames.cluster), account: null });
    markRestore(data.path);
    putAsideAll(config, target, there, owners, hold, progress);
    moveIn(target, stage);
    unmarkRestore(data.path);
    return manifest;
  } finally {
    for (const folder of held) folder.close();
    await lock.release();
  }
}

/** A database whose secrets cannot be decrypted would look fine and reject every webhook. */
function requireKey(config: Config, backup: string, { encryption_key: kept, files }: Manifest): void {
  const { hasOwnEncryptionKey, encryptionKey, previousEncryptionKeys, dataDir } = config;
  const isKeyOf = (key: string) => keyFingerprint(key) === kept.fingerprint;
  const isInside = kept.kept_in === 'file' && files.some(({ path }) => path === encryptionKeyFile);
  const inside = isInside ? join(backup, encryptionKeyFile) : null;
  if (inside !== null && existsSync(inside) && !isKeyOf(readFileSync(inside, 'utf8').trim()))
    throw new CliError('failure', `Nothing was restored. The backup is damaged: ${encryptionKeyFile}`);
  // The key in the backup replaces a file, not a variable. A service that never ran has encrypted nothing.
  if ((isInside && !hasOwnEncryptionKey) || isKeyOf('')) return;
  const place = join(dataDir, encryptionKeyFile);
  if (encryptionKey === '')
    throw new CliError(
      'usage',
      `This backup does not contain its encryption key. Set ENCRYPTION_KEY to that key, or copy it to ${place}.`,
    );
  if (![encryptionKey, ...previousEncryptionKeys].some(isKeyOf))
    throw new CliError(
      'conflict',
      `${hasOwnEncryptionKey ? 'ENCRYPTION_KEY' : place} is not the key of this backup and cannot decrypt its secrets.`,
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
  throw new CliError('failure', `Nothing was restored. The backup is damaged: ${shown}${more}`);
}

/** What has to be moved aside. Keys that are not in the backup stay. */
function requireRoom(config: Config, parts: ReadonlySet<string>, isOverwriting: boolean): string[] {
  const { dataDir, spoolDir } = config;
  if (lstatSync(spoolDir, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new CliError('usage', `${spoolDir} is a symbolic link. Set SPOOL_DIR to the folder itself.`);
  const there = partsThere(config, parts);
  if (there.length > 0 && !isOverwriting)
    throw new CliError(
      'conflict',
      `${dataDir} is not empty (${there.join(', ')}). Choose another DATA_DIR, or add --overwrite.`,
    );
  return there;
}

/** The owners of the data directory and of the spool, which may be elsewhere. */
interface Folders {
  readonly data: HeldFolder;
  readonly spool: HeldFolder;
}

function spoolFolder(config: Config, data: HeldFolder, hold: (folder: HeldFolder) => HeldFolder): HeldFolder {
  const spoolDir = resolve(config.spoolDir);
  const [around, name] = [dirname(spoolDir), basename(spoolDir)];
  mkdirSync(around, { recursive: true, mode: 0o700 });
  const parent = around === resolve(config.dataDir) ? data : hold(HeldFolder.open(around));
  if (parent.has(name)) return HeldFolder.openIn(parent, name);
  const folder = HeldFolder.makeIn(parent, name);
  folder.giveTo(ownerOf(data));
  return folder;
}

/** Null for the user who runs the restore. */
interface Owners {
  readonly data: DatabaseAccount | null;
  readonly spool: DatabaseAccount | null;
  readonly cluster: DatabaseAccount | null;
}

/** Root gives everything to the owner of the folder. In a folder that root owns, the database has its own account. */
function ownersOf(config: Config, target: Folders): Owners {
  const data = ownerOf(target.data);
  return {
    data,
    spool: ownerOf(target.spool),
    cluster: data ?? databaseAccount(placeOf(config, partNames.cluster)),
  };
}

function ownerOf(folder: HeldFolder): DatabaseAccount | null {
  const { uid, gid } = statSync(folder.path);
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : null;
}

/**
 * Each part is staged beside its destination, so that it can be moved there in one step. The stage belongs to root and is held
 * open: the new owner can move it, but cannot read it or plant a link where a file is about to be written.
 */
async function copyToStage(
  stage: Folders,
  backup: string,
  { folders, files }: Manifest,
  owners: Owners,
  progress: BackupProgress,
): Promise<void> {
  const target = (path: string) => {
    const [part = '', ...below] = path.split('/');
    return part === partNames.spool ? stage.spool.at(...below) : stage.data.at(path);
  };
  const owner = (path: string) =>
    path.startsWith(`${partNames.cluster}/`) || path === partNames.cluster
      ? owners.cluster
      : path.startsWith(`${partNames.spool}/`)
        ? owners.spool
        : owners.data;
  const parentsFirst = folders.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, mode } of parentsFirst) {
    if (path === partNames.spool) continue;
    mkdirSync(target(path), { mode: plainFolderMode(mode) });
    giveTo(target(path), owner(path));
  }
  let done = 0;
  progress.say(`Copying ${files.length} files.`);
  await forAll(files, async ({ path, mode, sha256 }) => {
    const copied = await copyFile(join(backup, path), target(path), plainFileMode(mode), owner(path));
    if (copied.sha256 !== sha256)
      throw new CliError('failure', `Nothing was restored. The backup changed while it was read: ${path}`);
    progress.show(++done, files.length);
  });
  for (const folder of [stage.data, stage.spool]) folder.requireInPlace();
}

function putAsideAll(
  config: Config,
  { data, spool }: Folders,
  there: readonly string[],
  owners: Owners,
  hold: (folder: HeldFolder) => HeldFolder,
  progress: BackupProgress,
): void {
  if (there.length === 0) return;
  const name = asideName();
  // Inside the same folder, because it may be a separate volume, and files cannot be moved between volumes.
  const putAside = (from: HeldFolder, items: readonly string[], owner: DatabaseAccount | null) => {
    if (items.length === 0) return;
    const aside = hold(HeldFolder.makeIn(from, name));
    for (const item of items) renameSync(from.at(item), aside.at(item));
    aside.giveTo(owner);
  };
  const parts = there.filter((part) => part !== partNames.spool);
  putAside(data, parts, owners.data);
  if (parts.length < there.length)
    putAside(
      spool,
      readdirSync(spool.path).filter((item) => !isPutAside(item)),
      owners.spool,
    );
  progress.say(
    `The previous data is now in ${join(config.dataDir, name)}. Delete it when you no longer need it.`,
  );
}

function moveIn(target: Folders, stage: Folders): void {
  for (const part of ['spool', 'data'] as const) {
    for (const name of readdirSync(stage[part].path)) renameSync(stage[part].at(name), target[part].at(name));
    rmdirSync(target[part].at(stageName));
  }
}
