import { type Host, nameOf } from './database-url.ts';
import type { HostState, ServerIdentity } from './host-state.ts';

export interface HostAnswer {
  readonly host: Host;
  readonly state: HostState;
}

/** The newest primary that was ever used. Older ones, and other databases, are refused from then on. */
export interface SeenPrimary extends ServerIdentity {
  readonly host: Host;
}

interface Refusal {
  readonly host: Host;
  readonly reason: string;
}

export interface Choice {
  readonly primary: SeenPrimary | null;
  /** Hosts that accept writes and are not used. */
  readonly refusals: readonly Refusal[];
}

/**
 * Chooses the host to write to. When several accept writes, one of them was replaced and does not know it: the newest
 * timeline wins, then the host that was used last, then the order of the URL.
 */
export function choosePrimary(answers: readonly HostAnswer[], seen: SeenPrimary | null): Choice {
  const primaries = primariesIn(answers);
  const cluster = seen?.cluster ?? primaries[0]?.cluster;
  const ours = primaries.filter((each) => each.cluster === cluster);
  const newest = Math.max(seen?.timeline ?? 0, ...ours.map(({ timeline }) => timeline));
  const usable = ours.filter(({ timeline }) => timeline === newest);
  const primary = usable.find(({ host }) => seen !== null && isSame(host, seen.host)) ?? usable[0] ?? null;
  const refusals = primaries
    .filter((each) => primary === null || !isSameServer(each, primary))
    .map((each) => ({ host: each.host, reason: reasonAgainst(each, primary ?? seen, cluster) }));
  return { primary, refusals };
}

export function primariesIn(answers: readonly HostAnswer[]): SeenPrimary[] {
  return answers.flatMap(({ host, state }) => {
    if (state.kind !== 'primary') return [];
    const { cluster, timeline, startedAt } = state;
    return { host, cluster, timeline, startedAt };
  });
}

export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  return (
    one.cluster === other.cluster && one.timeline === other.timeline && one.startedAt === other.startedAt
  );
}

function reasonAgainst(
  refused: SeenPrimary,
  better: SeenPrimary | null,
  cluster: string | undefined,
): string {
  if (refused.cluster !== cluster)
    return 'it is a different database cluster; if it replaces the one in use, restart the service';
  const other = better === null ? '' : ` on ${nameOf(better.host)}`;
  if (refused.timeline < (better?.timeline ?? 0))
    return `it is an old primary: its timeline is ${refused.timeline}, and timeline ${better?.timeline} was seen${other}; rebuild it as a standby`;
  return `a primary with the same timeline ${refused.timeline} is in use${other}; only one of them may accept writes`;
}

export function isSame(one: Host, other: Host): boolean {
  return one.host === other.host && one.port === other.port;
}

/** The standby that has applied most of the WAL. */
export function newestStandby(answers: readonly HostAnswer[]): Host | null {
  let best: { readonly host: Host; readonly walBytes: number } | null = null;
  for (const { host, state } of answers)
    if (state.kind === 'standby' && state.walBytes > (best?.walBytes ?? -1))
      best = { host, walBytes: state.walBytes };
  return best?.host ?? null;
}
