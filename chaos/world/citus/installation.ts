import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from '../../../src/db/embedded/binaries.ts';

/** Where Debian and Red Hat put the programs of each version. */
const usualFolders = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin'];

/** The newest PostgreSQL of this machine that Citus is installed for, or that of CITUS_BIN. Null where there is none. */
export function findCitus(): Binaries | null {
  const { CITUS_BIN } = process.env;
  const usual = usualFolders.flatMap((pattern) => globSync(pattern)).toSorted(newestFirst);
  const found = (CITUS_BIN ? [CITUS_BIN] : [onPath(), ...usual]).find((folder) => folder && hasCitus(folder));
  return found ? { initdb: join(found, 'initdb'), postgres: join(found, 'postgres') } : null;
}

export const notInstalled =
  'Skipped: no PostgreSQL with the extension citus was found. If it is installed, set CITUS_BIN to the folder with its initdb and pg_config.';

function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, undefined, { numeric: true });
}

function onPath(): string | null {
  return told('pg_config', '--bindir');
}

function hasCitus(folder: string): boolean {
  const shared = told(join(folder, 'pg_config'), '--sharedir');
  return (
    shared !== null &&
    existsSync(join(shared, 'extension/citus.control')) &&
    existsSync(join(folder, 'initdb'))
  );
}

function told(program: string, option: string): string | null {
  try {
    return execFileSync(program, [option], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
