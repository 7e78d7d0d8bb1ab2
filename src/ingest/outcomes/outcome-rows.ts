import type { ClockDrift } from '../../db/alarms/clock-drifts.ts';
import type { HandlingTimes } from '../../db/diagnostics/handling-times.ts';
import type { OutcomeCount, UnattributedCount } from '../../db/diagnostics/outcomes.ts';
import type { UnattributedRequests } from '../../db/diagnostics/unattributed-requests.ts';
import type { FormerSecretUse } from '../../db/forms/former-secret-uses.ts';
import type { TokenUse } from '../../db/forms/token-addresses.ts';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import { shownAddress } from '../../http/client-address.ts';
import type { FormEntry, TokenEntry } from '../directory/directory.ts';

/** The token id in counts without a token. */
const noId = '00000000-0000-0000-0000-000000000000';

export interface Count {
  count: number;
  /** Of rejected ones those that are proven, of accepted ones spam. */
  marked: number;
  lastAt: number;
}

/** A rejected request without a workspace. */
export interface UnattributedRequest {
  readonly surface: Surface;
  readonly reason: string;
  readonly at: number;
  readonly requestId: string;
}

/** The last use of a token, and that from each of a few addresses. */
export interface UsedToken {
  lastAt: number;
  readonly addresses: Map<string, number>;
}

export function namedRow(
  source: TokenEntry | FormEntry,
  outcome: string,
  minute: string,
  { count, marked, lastAt }: Count,
): OutcomeCount {
  const isToken = 'formId' in source;
  return {
    shard: shardOf(source.workspaceId),
    workspaceId: source.workspaceId,
    minute,
    surface: isToken ? 'server' : 'webhook',
    outcome,
    formId: isToken ? source.formId : source.id,
    tokenId: isToken ? source.id : noId,
    count,
    proven: outcome === 'accepted' ? 0 : marked,
    spam: outcome === 'accepted' ? marked : 0,
    lastAt: iso(lastAt),
  };
}

export function pageRow(...args: Parameters<typeof namedRow>): OutcomeCount {
  return { ...namedRow(...args), surface: 'browser' };
}

export function unattributedRow(
  surface: Surface,
  reason: string,
  minute: string,
  { count, lastAt }: Count,
): UnattributedCount {
  return { minute, surface, reason, count, lastAt: iso(lastAt) };
}

export function unattributedRequestRows(requests: readonly UnattributedRequest[]): UnattributedRequests[] {
  // Without building a key for each: a flood has thousands.
  const ofSurfaces = [...Map.groupBy(requests, ({ surface }) => surface).values()];
  const kinds = ofSurfaces.flatMap((same) => [...Map.groupBy(same, ({ reason }) => reason).values()]);
  return kinds.map((same) => {
    const { surface, reason, at: firstAt } = same[0] as UnattributedRequest;
    const requestIds = same.map(({ requestId }) => requestId);
    const afterMs = same.map(({ at }) => at - firstAt);
    return { surface, reason, firstAt: iso(firstAt), requestIds, afterMs };
  });
}

export function formerSecretRow(form: FormEntry, minute: number, { count, lastAt }: Count): FormerSecretUse {
  const { id: formId, workspaceId, secret } = form;
  return {
    shard: shardOf(workspaceId),
    workspaceId,
    formId,
    overlapEndsAt: iso(secret?.previousValidUntil ?? 0),
    minute: iso(minute),
    count,
    lastAt: iso(lastAt),
  };
}

export function tokenUse({ id }: TokenEntry, { lastAt, addresses }: UsedToken): TokenUse {
  const from = [...addresses].map(([address, at]) => ({ address: shownAddress(address), lastAt: iso(at) }));
  return { tokenId: id, lastUsedAt: iso(lastAt), addresses: from };
}

export function driftRow(form: FormEntry, minute: number, buckets: readonly number[]): ClockDrift {
  const { id: formId, workspaceId } = form;
  return { shard: shardOf(workspaceId), workspaceId, formId, minute: iso(minute), buckets };
}

export function handlingRow(workspaceId: string, minute: number, buckets: readonly number[]): HandlingTimes {
  return { shard: shardOf(workspaceId), workspaceId, minute: iso(minute), buckets };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
