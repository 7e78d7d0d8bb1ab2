import { execFileSync } from 'node:child_process';
import { existsSync, lchownSync, readFileSync, statSync } from 'node:fs';
import { EmbeddedError } from './error.ts';

/** The unprivileged user that the database runs as when the service runs as root, because PostgreSQL refuses root. */
export interface DatabaseAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Finds and creates accounts on a machine. */
export interface MachineAccounts {
  named(name: string): DatabaseAccount | null;
  /** Tries to create a system account that nobody can sign in to. Check with `named` whether it exists afterwards. */
  make(name: string): void;
}

/** A dedicated account, so that no other program on the machine runs as the user who can read all leads. */
export const accountName = 'leadgate-postgres';
/** Used when no account can be created, for example on a read-only system. */
const otherNames = ['postgres', 'nobody'];

/** Null when the service is not root: then the database runs as the same user. */
export function databaseAccount(clusterDir: string, accounts = machineAccounts): DatabaseAccount | null {
  if (process.getuid?.() !== 0) return null;
  // An existing cluster keeps its owner, even if users are added or removed later.
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
    `As root, Leadgate runs its database as the user ${accountName}, postgres or nobody. The first could not be created, and the others do not exist on this machine.`,
  );
}

export function giveTo(path: string, account: DatabaseAccount | null): void {
  if (account !== null) lchownSync(path, account.uid, account.gid);
}

const makeMsMax = 10_000;
/** Programs that create an account: on Debian, Red Hat, Arch and SUSE; on Alpine and others with BusyBox. */
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
      // PostgreSQL refuses root under another name too.
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
        // Missing, incompatible or not permitted; or another start has just created the account.
      }
    }
  },
};
