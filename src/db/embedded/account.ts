import { existsSync, lchownSync, readFileSync, statSync } from 'node:fs';
import { EmbeddedError } from './error.ts';

/** The unprivileged user the database runs as when the service runs as root, which PostgreSQL refuses to do. */
export interface DatabaseAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Null when the service is not root: then the database runs as the same user. */
export function databaseAccount(clusterDir: string): DatabaseAccount | null {
  if (process.getuid?.() !== 0) return null;
  // A cluster keeps its owner, whichever users the machine gets or loses later.
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid };
  }
  const account = accountNamed('postgres') ?? accountNamed('nobody');
  if (account === null) {
    throw new EmbeddedError(
      'As root, Leadgate runs its database as the user postgres or nobody, and neither exists here.',
    );
  }
  return account;
}

export function giveTo(path: string, account: DatabaseAccount | null): void {
  if (account !== null) lchownSync(path, account.uid, account.gid);
}

function accountNamed(name: string): DatabaseAccount | null {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}
