import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, encryptionKeyFile } from '../../config.ts';
import { type DatabaseAccount, databaseAccount, giveTo } from '../../db/embedded/account.ts';
import { clearLeftovers } from '../../db/embedded/cluster.ts';
import { markRestore, unmarkRestore } from '../../db/embedded/restore-mark.ts';
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
import { keyFingerprint, type Manifest, readManifest } from './manifest.ts';
import { plainFileMode, plainFolderMode, requirePlain } from './plain-paths.ts';

const damagedShown = 5;

/**
 * Puts a backup back. Everything is checked, then copied, before anything is touched; what was there is put aside, never deleted.
 * While the parts change places, a mark keeps any service from starting.
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
  try {
    const parts = new Set(manifest.files.map(({ path }) => path.split('/')[0] as string));
    const there = requireRoom(config, parts, isOverwriting);
    const owners = ownersOf(config);
    const stage = await copyToStage(config, backup, manifest, owners, progress);
    await clearLeftovers({ dir: placeOf(config, partNames.cluster), account: null });
    markRestore(config.dataDir);
    putAsideAll(config, there, owners, progress);
    moveIn(config, stage);
    unmarkRestore(config.dataDir);
    return manifest;
  } finally {
    await lock.release();
  }
}

/** A database whose secrets cannot be opened would look whole and reject every webhook. */
function requireKey(config: Config, backup: string, { encryption_key: kept, files }: Manifest): void {
  const { hasOwnEncryptionKey, encryptionKey, previousEncryptionKeys, dataDir } = config;
  const isKeyOf = (key: string) => keyFingerprint(key) === kept.fingerprint;
  const isInside = kept.kept_in === 'file' && files.some(({ path }) => path === encryptionKeyFile);
  const inside = isInside ? join(backup, encryptionKeyFile) : null;
  if (inside !== null && existsSync(inside) && !isKeyOf(readFileSync(inside, 'utf8').trim()))
    throw new CliError('failure', `The backup is damaged, and nothing was restored: ${encryptionKeyFile}`);
  // The key in the backup replaces a file, not a variable. A service that never ran has sealed nothing.
  if ((isInside && !hasOwnEncryptionKey) || isKeyOf('')) return;
  const place = join(dataDir, encryptionKeyFile);
  if (encryptionKey === '')
    throw new CliError(
      'usage',
      `The encryption key is not in this backup. Set ENCRYPTION_KEY to the one it was made with, or copy that key to ${place}.`,
    );
  if (![encryptionKey, ...previousEncryptionKeys].some(isKeyOf))
    throw new CliError(
      'conflict',
      `${hasOwnEncryptionKey ? 'ENCRYPTION_KEY' : place} is not the key of this backup, and would not open its secrets.`,
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

/** What has to be put aside. Keys that the backup does not bring stay where they are. */
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

/** Null for whoever runs the restore. */
interface Owners {
  readonly data: DatabaseAccount | null;
  readonly spool: DatabaseAccount | null;
  readonly cluster: DatabaseAccount | null;
}

/** Root gives everything to the owner of the folder. In a folder of root's own, the database has an account of its own. */
function ownersOf(config: Config): Owners {
  const data = ownerOf(config.dataDir);
  return {
    data,
    spool: existsSync(config.spoolDir) ? ownerOf(config.spoolDir) : data,
    cluster: data ?? databaseAccount(placeOf(config, partNames.cluster)),
  };
}

function ownerOf(folder: string): DatabaseAccount | null {
  const { uid, gid } = statSync(folder);
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : null;
}

/** The folders that hold the copies, for each part beside the place where it belongs: only there can it be moved in at once. */
interface Stage {
  readonly data: string;
  readonly spool: string;
}

async function copyToStage(
  config: Config,
  backup: string,
  { folders, files }: Manifest,
  owners: Owners,
  progress: BackupProgress,
): Promise<Stage> {
  if (!existsSync(config.spoolDir)) makeFolder(config.spoolDir, 0o700, owners.spool);
  const stage = { data: join(config.dataDir, stageName), spool: join(config.spoolDir, stageName) };
  for (const folder of [stage.data, stage.spool]) {
    rmSync(folder, { recursive: true, force: true });
    // Root's own until the end, so that nobody can put a link where a file is about to be written.
    mkdirSync(folder, { mode: 0o700 });
  }
  const target = (path: string) => {
    const [part = '', ...below] = path.split('/');
    return part === partNames.spool ? join(stage.spool, ...below) : join(stage.data, path);
  };
  const owner = (path: string) =>
    path.startsWith(`${partNames.cluster}/`) || path === partNames.cluster
      ? owners.cluster
      : path.startsWith(`${partNames.spool}/`)
        ? owners.spool
        : owners.data;
  for (const { path, mode } of folders)
    if (path !== partNames.spool) makeFolder(target(path), plainFolderMode(mode), owner(path));
  let done = 0;
  progress.say(`Copying ${files.length} files.`);
  await forAll(files, async ({ path, mode, sha256 }) => {
    const copied = await copyFile(join(backup, path), target(path), plainFileMode(mode), owner(path));
    if (copied.sha256 !== sha256)
      throw new CliError(
        'failure',
        `The backup changed while it was read, and nothing was restored: ${path}`,
      );
    progress.show(++done, files.length);
  });
  return stage;
}

function makeFolder(path: string, mode: number, owner: DatabaseAccount | null): void {
  mkdirSync(path, { recursive: true, mode });
  giveTo(path, owner);
}

function putAsideAll(
  config: Config,
  there: readonly string[],
  owners: Owners,
  progress: BackupProgress,
): void {
  if (there.length === 0) return;
  const name = asideName();
  for (const part of there) putAside(config, part, name, owners);
  progress.say(`What was there is in ${join(config.dataDir, name)} now. Delete it when you need it no more.`);
}

/** Inside the same folder, because that may be a volume of its own, out of which nothing can be moved. */
function putAside(config: Config, part: string, name: string, owners: Owners): void {
  if (part !== partNames.spool) {
    const aside = join(config.dataDir, name);
    makeFolder(aside, 0o700, owners.data);
    renameSync(placeOf(config, part), join(aside, part));
    return;
  }
  const aside = join(config.spoolDir, name);
  makeFolder(aside, 0o700, owners.spool);
  for (const item of readdirSync(config.spoolDir))
    if (!isPutAside(item)) renameSync(join(config.spoolDir, item), join(aside, item));
}

function moveIn({ dataDir, spoolDir }: Config, stage: Stage): void {
  for (const name of readdirSync(stage.spool)) renameSync(join(stage.spool, name), join(spoolDir, name));
  for (const name of readdirSync(stage.data)) renameSync(join(stage.data, name), join(dataDir, name));
  for (const folder of [stage.data, stage.spool]) rmSync(folder, { recursive: true });
}
