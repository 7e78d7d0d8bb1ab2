import {
  type HostAnswer,
  isSameServer,
  primariesIn,
  type SeenPrimary,
} from '../../db/hosts/choose-primary.ts';
import { createClient, hostsOf } from '../../db/hosts/clients.ts';
import { causeOf } from '../../db/hosts/database-hosts.ts';
import { nameOf } from '../../db/hosts/database-url.ts';
import { type CommitSettings, readCommitSettings } from '../../db/server-facts.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const connectTimeoutMs = 5_000;

export interface HostsCheck {
  readonly findings: readonly Finding[];
  /** False when there is nothing else to examine. */
  readonly hasPrimary: boolean;
}

/** Each host of a URL with several, and whether a failover between them loses nothing. */
export async function checkHosts(databaseUrl: string | null): Promise<HostsCheck> {
  const hosts = databaseUrl === null ? null : hostsOf(databaseUrl);
  if (databaseUrl === null || hosts === null || hosts.hosts.length === 1)
    return { findings: [], hasPrimary: true };
  const answers = await hosts.askAll();
  // A server may be listed under two names.
  const primaries = primariesIn(answers).filter(
    (primary, index, all) => all.findIndex((other) => isSameServer(other, primary)) === index,
  );
  const findings = [...answers.map((answer) => checkHost(answer, answers)), ...countPrimaries(primaries)];
  if (primaries.length === 0) return { findings, hasPrimary: false };
  findings.push(...checkCommits(await commitSettingsOf(databaseUrl)));
  return { findings, hasPrimary: true };
}

function checkHost({ host, state }: HostAnswer, answers: readonly HostAnswer[]): Finding {
  const check = `host ${nameOf(host)}`;
  if (state.kind === 'primary') return ok(check, `Primary, timeline ${state.timeline}.`);
  if (state.kind === 'standby') return ok(check, `Standby, ${lagText(state.walBytes, answers)}.`);
  if (state.kind === 'read-only')
    return warning(
      check,
      'Primary, but set to read-only.',
      'Reset default_transaction_read_only for the server, database and role.',
    );
  return warning(
    check,
    `Unreachable: ${causeOf(state.error)}.`,
    'Start this server, or remove it from DATABASE_URL. Until then, nothing can fail over to it.',
  );
}

function lagText(walBytes: number, answers: readonly HostAnswer[]): string {
  const [newest] = answers
    .flatMap(({ state }) => (state.kind === 'primary' ? state : []))
    .toSorted((one, other) => other.timeline - one.timeline);
  if (newest === undefined) return 'lag unknown without a primary';
  const kilobytes = Math.max(0, newest.walBytes - walBytes) / 1024;
  return `${kilobytes.toFixed(kilobytes < 10 ? 1 : 0)} KB behind the primary`;
}

function countPrimaries(primaries: readonly SeenPrimary[]): Finding[] {
  if (primaries.length === 1) return [];
  if (primaries.length === 0)
    return [
      fault(
        'primary',
        'No host of DATABASE_URL accepts writes. Leads go to the spool.',
        'Start the primary, or promote a standby with pg_promote().',
      ),
    ];
  const names = primaries.map(({ host }) => nameOf(host)).join(', ');
  return [
    fault(
      'primary',
      `${primaries.length} hosts accept writes: ${names}. Leadgate uses the one with the newest timeline.`,
      'Stop the old primary, and rebuild it as a standby with pg_rewind or a new copy (docs/failover.md).',
    ),
  ];
}

/** Without the settings that Leadgate gives to its own connections. */
async function commitSettingsOf(databaseUrl: string): Promise<CommitSettings> {
  const client = createClient({ databaseUrl, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await readCommitSettings(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function checkCommits({ synchronousCommit, standbyNames }: CommitSettings): Finding[] {
  const findings: Finding[] = [];
  if (standbyNames.trim() === '')
    findings.push(
      warning(
        'synchronous standby',
        'synchronous_standby_names is empty: at a failover, leads that got a 202 in the last moments can be lost.',
        "alter system set synchronous_standby_names = 'ANY 1 (*)'; select pg_reload_conf();",
      ),
    );
  if (synchronousCommit === 'off' || synchronousCommit === 'local')
    findings.push(
      warning(
        'synchronous commit',
        `The default of synchronous_commit is ${synchronousCommit}. Leadgate sets it to on for itself; other programs on this server can lose commits.`,
        'alter system reset synchronous_commit; select pg_reload_conf();',
      ),
    );
  return findings.length > 0
    ? findings
    : [ok('synchronous standby', `Commits wait for a standby: ${standbyNames}.`)];
}
