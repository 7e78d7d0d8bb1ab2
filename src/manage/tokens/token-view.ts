import type { Token, TokenTraffic } from '../../contract/tokens.ts';
import { countTokenOutcomes, type TokenOutcome } from '../../db/diagnostics/token-traffic.ts';
import { type ListedHandover, listHandovers } from '../../db/forms/token-handovers.ts';
import type { TokenRecord } from '../../db/forms/tokens.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { type RejectionReason, rejectionCategory } from '../../domain/rejection.ts';
import type { Role } from '../../domain/role.ts';
import { tokenHealth } from '../../domain/tokens/token-health.ts';
import { hourMs } from '../../time/clock.ts';
import { hasScope } from '../api-keys/authentication.ts';
import type { Principal } from '../calls/access.ts';
import type { ManagementDeps } from '../deps.ts';

export interface TokenReader {
  readonly principal: Principal;
  readonly role: Role | null;
}

const hoursShown = 24;

/** All tokens of a list with their traffic and links, by one statement for each. */
export async function viewTokens(
  { pool, clock, log }: Pick<ManagementDeps, 'pool' | 'clock' | 'log'>,
  reader: TokenReader,
  workspaceId: string,
  records: readonly TokenRecord[],
): Promise<Token[]> {
  const now = clock.now();
  const ids = records.map(({ id }) => id);
  const links = Map.groupBy(await listHandovers(pool, ids, new Date(now)), ({ tokenId }) => tokenId);
  const from = new Date(now - (now % hourMs) - (hoursShown - 1) * hourMs);
  // A node of a cluster that is down must not keep anyone from revoking a token.
  const outcomes = await countTokenOutcomes(pool, workspaceId, ids, from).catch((error) => {
    if (!isUnavailable(error)) throw error;
    log.warn({ err: error, workspace_id: workspaceId }, 'traffic of tokens not read');
    return null;
  });
  const byToken = outcomes === null ? null : Map.groupBy(outcomes, ({ tokenId }) => tokenId);
  const seesTraffic = maySeeTraffic(reader);
  return records.map((record) => {
    const traffic = byToken === null ? null : trafficOf(byToken.get(record.id) ?? []);
    return viewToken(record, { traffic, seesTraffic, links: links.get(record.id) ?? [] }, now);
  });
}

/** A token that was just created has no traffic yet, and no links. */
export function viewNewToken(record: TokenRecord, now: number): Token {
  return viewToken(record, { traffic: trafficOf([]), seesTraffic: true, links: [] }, now);
}

interface Around {
  readonly traffic: TokenTraffic | null;
  readonly seesTraffic: boolean;
  readonly links: readonly ListedHandover[];
}

function viewToken(record: TokenRecord, { traffic, seesTraffic, links }: Around, now: number): Token {
  const { id, name, formId, type, hint, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
  const counts = traffic === null ? null : { ...traffic, rateLimited: traffic.rate_limited };
  const reason = traffic?.by_reason.find(({ category }) => category === 'other')?.reason ?? null;
  return {
    id,
    name,
    form_id: formId,
    type,
    hint,
    status: tokenStatus(record, now),
    // What is said of the others would say why their requests are rejected.
    ...tokenHealth(record, seesTraffic && counts !== null ? { ...counts, reason } : null, now),
    created_at: createdAt.toISOString(),
    created_by: creatorOf(record),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    traffic: seesTraffic ? traffic : null,
    handover_links: links.map(viewLink),
    replaced_by: record.replacedBy,
    replaces: record.replaces,
  };
}

export function viewLink({ id, createdAt, expiresAt, madeBy }: Omit<ListedHandover, 'tokenId'>) {
  return {
    id,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    created_by: madeBy,
  };
}

export function tokenStatus({ revokedAt, expiresAt }: TokenRecord, now: number): Token['status'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active';
}

type Creator = Pick<TokenRecord, 'creatorKind' | 'creatorId' | 'creatorName'>;

/** Of something that this caller creates. */
export function createdBy(principal: Principal): Creator {
  if (principal.kind === 'person') {
    const { id, name } = principal.person;
    return { creatorKind: 'person', creatorId: id, creatorName: name };
  }
  if (principal.kind === 'api_key') {
    const { id, name } = principal.key;
    return { creatorKind: 'api_key', creatorId: id, creatorName: name };
  }
  return { creatorKind: 'operator_key', creatorId: null, creatorName: null };
}

function creatorOf({ creatorKind, creatorId, creatorName }: Creator): Token['created_by'] {
  return creatorKind === null ? null : { kind: creatorKind, id: creatorId, name: creatorName };
}

/** Those who may read diagnostics. */
function maySeeTraffic({ principal, role }: TokenReader): boolean {
  return principal.kind === 'api_key' ? hasScope(principal, 'diagnostics:read') : role === 'owner';
}

function trafficOf(outcomes: readonly TokenOutcome[]): TokenTraffic {
  const reasons = Map.groupBy(outcomes, ({ outcome }) => outcome);
  reasons.delete('accepted');
  const hours = Map.groupBy(outcomes, ({ hour }) => hour.getTime());
  return {
    ...countsOf(outcomes),
    by_reason: [...reasons]
      .map(([reason, same]) => ({ reason, category: categoryOf(reason), count: sumOf(same) }))
      .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
    series: [...hours]
      .toSorted(([a], [b]) => a - b)
      .map(([at, same]) => ({ at: new Date(at).toISOString(), ...countsOf(same) })),
  };
}

function countsOf(outcomes: readonly TokenOutcome[]) {
  const kinds = Map.groupBy(outcomes, ({ outcome }) =>
    outcome === 'accepted' ? outcome : categoryOf(outcome),
  );
  return {
    accepted: sumOf(kinds.get('accepted') ?? []),
    rate_limited: sumOf(kinds.get('rate_limit') ?? []),
    other: sumOf(kinds.get('other') ?? []),
  };
}

/** A reason that only an older version knew is an ordinary one. */
function categoryOf(reason: string) {
  return rejectionCategory(reason as RejectionReason) ?? 'other';
}

function sumOf(outcomes: readonly TokenOutcome[]): number {
  return outcomes.reduce((sum, { count }) => sum + count, 0);
}
