import type { HeldQuery, HeldSubmission, WholeHeldSubmission } from '../../contract/held/held.ts';
import * as contract from '../../contract/held/held.ts';
import {
  findHeld,
  type HeldFilter,
  type HeldRecord,
  type ListedHeld,
  listHeld,
  type WholeHeld,
} from '../../db/held/held-list.ts';
import type { PageRequest } from '../../db/keyset.ts';
import { isAdmissible } from '../../domain/held/held-class.ts';
import type { RecordedHeader, RecordedRequest } from '../../domain/held/held-request.ts';
import { shortSignature } from '../../domain/held/recorded-headers.ts';
import { keyIdOf, type SecretBox } from '../../domain/secrets/secret-box.ts';
import { senderName } from '../../domain/senders/kinds.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { openHeld } from './open-held.ts';
import { readSummary } from './summary.ts';
import { findTwins } from './twins.ts';

export const heldRoutes = [
  route(contract.listHeld, async ({ params, query }, deps) => {
    const { limit: _, cursor: __, ...filters } = query;
    return page(
      query,
      {
        fetch: (request) => listWithTwins(deps, params.workspace_id, filterOf(query), request),
        position: ({ receivedAt, id }) => ({ at: receivedAt, id }),
        view: (row) => viewHeld(row, mayOpen(deps.secretBox, row.head), row.twinOf),
      },
      filters,
    );
  }),
  route(contract.readHeldSummary, ({ params, query }, deps) =>
    readSummary(deps, params.workspace_id, query.form_id),
  ),
  route(contract.readHeld, async ({ params }, deps) => {
    const { workspace_id: workspaceId, held_id: id } = params;
    const found = await findHeld(deps.pool, workspaceId, id, new Date(deps.clock.now()));
    if (found === null) throw notFound('held submission');
    const [twinOf = null] = (await twinsOf(deps, workspaceId, [found])).values();
    return viewWhole(found, openHeld(deps.secretBox, { ...found, workspaceId }), twinOf, deps.headerPrefix);
  }),
];

interface WithTwin extends ListedHeld {
  readonly twinOf: string | null;
}

async function listWithTwins(
  deps: ManagementDeps,
  workspaceId: string,
  filter: HeldFilter,
  request: PageRequest,
): Promise<WithTwin[]> {
  const rows = await listHeld(deps.pool, workspaceId, filter, new Date(deps.clock.now()), request);
  const twins = await twinsOf(deps, workspaceId, rows);
  return rows.map((row) => ({ ...row, twinOf: twins.get(row.id) ?? null }));
}

/** Of those that are not decided. */
async function twinsOf(
  deps: ManagementDeps,
  workspaceId: string,
  rows: readonly HeldRecord[],
): Promise<Map<string, string>> {
  const held = rows.filter(({ state }) => state === 'held');
  if (held.length === 0) return new Map();
  const { keyed, equal } = await findTwins(deps, workspaceId, held);
  return new Map([...equal, ...keyed]);
}

function filterOf({ state, reason, form_id: formId, from, to, ...query }: HeldQuery): HeldFilter {
  return { state, reason, formId, class: query.class, from, to };
}

/** Whether the service has the key that it was encrypted with; a value of version 0.1.0 does not say. */
function mayOpen(box: SecretBox, head: Buffer | null): boolean {
  if (head === null) return false;
  const keyId = keyIdOf(head);
  return keyId === null || keyId === box.keyId || box.previousKeyIds.includes(keyId);
}

function viewHeld(row: HeldRecord, isReadable: boolean, twinOf: string | null): HeldSubmission {
  return {
    id: row.id,
    reason: row.reason,
    class: row.class,
    sender: row.sender === null ? null : { id: row.sender, name: senderName(row.sender) },
    surface: row.surface,
    form_id: row.formId,
    token_id: row.tokenId,
    received_at: row.receivedAt.toISOString(),
    request_id: row.requestId,
    sent_at: row.sentAt?.toISOString() ?? null,
    body_bytes: row.bodyBytes,
    state: row.state,
    expires_at: row.expiresAt.toISOString(),
    is_readable: isReadable,
    is_admissible: row.state === 'held' && isReadable && isAdmissible(row),
    verified_at: row.verifiedAt?.toISOString() ?? null,
    twin_of: twinOf,
    has_key: row.keyHash !== null,
    submission_id: row.submissionId,
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedBy,
  };
}

function viewWhole(
  row: WholeHeld,
  opened: RecordedRequest | 'unreadable' | null,
  twinOf: string | null,
  prefix: string,
): WholeHeldSubmission {
  const request = opened === 'unreadable' ? null : opened;
  const body = request?.body ?? null;
  return {
    ...viewHeld(row, request !== null, twinOf),
    // Requests of an earlier version have their size only inside.
    body_bytes: request?.bodyBytes ?? row.bodyBytes,
    headers: request && {
      timestamp: headerText(request.timestamp),
      signature: headerText(request.signature),
      content_type: request.contentType,
    },
    request: request && viewSent(request, prefix),
    body: body?.toString('utf8') ?? null,
    body_base64: body?.toString('base64') ?? null,
  };
}

/** How it was sent, for people to read. */
function viewSent(
  { path, headers, contentType, timestamp, signature }: RecordedRequest,
  prefix: string,
): WholeHeldSubmission['request'] {
  const known = [
    ['Content-Type', contentType],
    [`${prefix}Timestamp`, shownHeader(timestamp)],
    [`${prefix}Signature`, shownHeader(signature, shortSignature)],
  ] as const;
  const shown = headers ?? known.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return {
    method: 'POST',
    path: path ?? null,
    headers: shown.map(([name, value]) => ({ name, value })),
    has_all_headers: headers !== undefined,
  };
}

function shownHeader(header: RecordedHeader, show = (value: string) => value): string | null {
  if (header === null) return null;
  return typeof header === 'string' ? show(header) : '[sent more than once]';
}

/** A header that was sent more than once has no single value. */
function headerText(header: RecordedHeader): string | null {
  return typeof header === 'string' ? header : null;
}
