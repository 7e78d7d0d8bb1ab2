import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { CliError } from '../exit.ts';
import { copyFile, forAll, makeFolders, type Tree, treeOf } from './copy-tree.ts';
import {
  isCleanlyStopped,
  isPutAside,
  lockStopped,
  partNames,
  placeOf,
  requireCluster,
  requireEmbedded,
  requireOutside,
  requireWhole,
  stopCleanly,
} from './data-directory.ts';
import { keyFingerprint, type Manifest, manifestPath, newManifest } from './manifest.ts';

export interface BackupProgress {
  readonly say: (text: string) => void;
  readonly show: (done: number, total: number) => void;
}

/**
 * Copies a data directory while it is locked and its server is cleanly stopped, so that the copy is consistent. It gets its
 * name only when it is complete. The keys are left out by default: anyone who finds a copy without them can read leads, but
 * cannot sign as a sender or act as the operator.
 */
export async function backUp(
  config: Config,
  folder: string,
  withKeys: boolean,
  progress: BackupProgress,
): Promise<Manifest> {
  const backup = resolve(folder);
  requireEmbedded(config);
  requireWhole(config);
  requireCluster(config);
  requireOutside(config, backup);
  if (existsSync(backup)) throw new CliError('conflict', `${backup} already exists. Choose another name.`);
  // First, because a running service must be stopped before anything else.
  const lock = await lockStopped(config);
  const isClean = isCleanlyStopped(config.dataDir);
  if (isClean) return copyAll(config, backup, withKeys, progress).finally(() => lock.release());
  await lock.release();
  progress.say('The database was not stopped cleanly. Stopping it cleanly first.');
  await stopCleanly(config);
  const secondLock = await lockStopped(config);
  return copyAll(config, backup, withKeys, progress).finally(() => secondLock.release());
}

async function copyAll(
  config: Config,
  backup: string,
  withKeys: boolean,
  progress: BackupProgress,
): Promise<Manifest> {
  const unfinished = `${backup}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const tree = wholeTree(config, withKeys);
  makeFolders(unfinished, tree.folders);
  let done = 0;
  const files = await forAll(tree.files, async ({ path, mode, from }) => {
    const copied = await copyFile(from, join(unfinished, path), mode);
    progress.show(++done, tree.files.length);
    return { path, mode, ...copied };
  });
  const manifest = newManifest({
    made_at: new Date().toISOString(),
    postgres_version: readFileSync(join(placeOf(config, partNames.cluster), 'PG_VERSION'), 'utf8').trim(),
    encryption_key: {
      kept_in: config.hasOwnEncryptionKey ? 'environment' : withKeys ? 'file' : 'elsewhere',
      fingerprint: keyFingerprint(config.encryptionKey),
    },
    folders: [...tree.folders],
    files,
  });
  await writeDown(manifestPath(unfinished), JSON.stringify(manifest, null, 1));
  renameSync(unfinished, backup);
  syncFolder(dirname(backup));
  return manifest;
}

interface WholeTree {
  readonly folders: Tree['folders'];
  readonly files: (Tree['files'][number] & { readonly from: string })[];
}

/** All parts by their names in a data directory, wherever they are now. */
function wholeTree(config: Config, withKeys: boolean): WholeTree {
  const isLeftOut = (path: string) => path === 'postmaster.pid' || isPutAside(path);
  const folders: Tree['folders'][number][] = [];
  const files: WholeTree['files'] = [];
  for (const part of [partNames.cluster, partNames.spool]) {
    const place = placeOf(config, part);
    if (!existsSync(place)) continue;
    const tree = treeOf(place, isLeftOut);
    folders.push({ path: part, mode: 0o700 });
    folders.push(...tree.folders.map(({ path, mode }) => ({ path: join(part, path), mode })));
    files.push(
      ...tree.files.map((file) => ({ ...file, path: join(part, file.path), from: join(place, file.path) })),
    );
  }
  for (const name of withKeys ? partNames.keys : []) {
    const from = placeOf(config, name);
    if (existsSync(from)) files.push({ path: name, mode: 0o600, bytes: 0, from });
  }
  return { folders, files };
}

async function writeDown(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
