import { execFileSync } from 'node:child_process';
import { existsSync, lchownSync, readFileSync, statSync } from 'node:fs';
import { EmbeddedError } from './error.ts';

/** The unprivileged user the database runs as when the service runs as root, which PostgreSQL refuses to do. */
export interface DatabaseAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The accounts of a machine, as far as they matter here. */
export interface MachineAccounts {
  named(name: string): DatabaseAccount | null;
  /** Tries to make a system account that nobody can sign in to; whether it is there afterwards, `named` tells. */
  make(name: string): void;
}

/** Of its own, so that no other program on the machine runs as the user who may read all leads. */
export const accountName = 'leadgate-postgres';
/** Where no account can be made, as on a read-only system. */
const otherNames = ['postgres', 'nobody'];

/** Null when the service is not root: then the database runs as the same user. */
export function databaseAccount(clusterDir: string, accounts = machineAccounts): DatabaseAccount | null {
  if (process.getuid?.() !== 0) return null;
  // A cluster keeps its owner, whichever users the machine gets or loses later.
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid };
  }
  return ownAccount(accounts);
}

export function ownAccount(accounts: MachineAccounts): DatabaseAccount {
  const existing = accounts.named(accountName);
  if (existing !== null) return existing;
  accounts.make(accountName);
  for (const name of [accountName, ...otherNames]) {
    const account = accounts.named(name);
    if (account !== null) return account;
  }
  throw new EmbeddedError(
    `As root, Leadgate runs its database as the user ${accountName}, which could not be made, or postgres or nobody, which do not exist here.`,
  );
}

export function giveTo(path: string, account: DatabaseAccount | null): void {
  if (account !== null) lchownSync(path, account.uid, account.gid);
}

const makeMsMax = 10_000;
/** Programs that make an account, by distribution: Debian, Red Hat, Arch, SUSE; Alpine and others with BusyBox. */
const makers = [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin'],
] as const;

export const machineAccounts: MachineAccounts = {
  named(name) {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [user, , uid, gid] = line.split(':');
      // Root under another name is what PostgreSQL refuses.
      if (user === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
    }
    return null;
  },
  make(name) {
    for (const [program, ...options] of makers) {
      try {
        const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
        execFileSync(program, [...options, name], { env, stdio: 'ignore', timeout: makeMsMax });
        return;
      } catch {
        // Not there, of another kind, or not allowed. Or another start was quicker, which is as good.
      }
    }
  },
};
