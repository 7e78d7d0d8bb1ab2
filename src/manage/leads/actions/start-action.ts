import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { type CallDeclaration, operationId } from '../../../contract/call.ts';
import * as contract from '../../../contract/leads/actions.ts';
import {
  findLeadAction,
  findUndo,
  insertLeadAction,
  type LeadActionRecord,
  type LeadSelection,
  listUnfinishedActions,
  stopLeadAction,
} from '../../../db/leads/actions/lead-actions.ts';
import { inTransaction } from '../../../db/pool.ts';
import { insertAudit } from '../../../db/workspaces/audit-log.ts';
import { lockWorkspace } from '../../../db/workspaces/memberships.ts';
import { hourMs } from '../../../time/clock.ts';
import { requireScope } from '../../api-keys/authentication.ts';
import { auditRecord } from '../../audit/audit.ts';
import { nameOf } from '../../calls/access.ts';
import { notFound, Problem } from '../../calls/problem.ts';
import type { Asked } from '../../calls/route.ts';
import type { ManagementDeps } from '../../deps.ts';
import { type Counted, countMatching, filterOf } from './chosen.ts';
import { actorOf } from './permission.ts';

const inProgressMax = 5;
export const undoableMs = 24 * hourMs;

interface Wanted extends Pick<LeadActionRecord, 'kind' | 'mark'> {
  readonly call: CallDeclaration;
  readonly body: contract.LeadSelectionInput;
}

type Caller = Pick<Asked, 'principal' | 'client'>;

/** Starts to mark or erase leads, unless the same is in progress: sent twice, it is done once. */
export async function startAction(
  deps: ManagementDeps,
  caller: Caller,
  workspaceId: string,
  { call, kind, mark, body }: Wanted,
): Promise<{ id: string }> {
  const { pool, clock, leadActions } = deps;
  // How many match says what is in leads.
  if (body.filter !== undefined) requireScope(caller.principal, 'leads:read');
  const now = new Date(clock.now());
  const selection = selectionOf(body, now);
  const known = body.id === undefined ? null : await findLeadAction(pool, workspaceId, body.id);
  // By now more leads may match, and that is no reason to refuse the same request again.
  if (known !== null) return knownAction(known, { kind, mark, selection });
  const counted = await countSelected(deps, workspaceId, selection, body);
  const id = await inTransaction(pool, async (client) => {
    await lockWorkspace(client, workspaceId);
    const again = body.id === undefined ? null : await findLeadAction(client, workspaceId, body.id);
    if (again !== null) return knownAction(again, { kind, mark, selection }).id;
    const unfinished = await listUnfinishedActions(client, workspaceId);
    // Between two that are the same, another one may have set other marks.
    const latest = unfinished.at(-1);
    if (latest?.kind === kind && latest.mark === mark && isDeepStrictEqual(latest.selection, selection))
      return latest.id;
    requirePlace(unfinished);
    const what = { kind, mark, undoes: null, selection, ...counted };
    return insert(client, deps, caller, workspaceId, body.id ?? randomUUID(), { call, now, ...what });
  });
  leadActions.wake();
  return { id };
}

/** Takes back the marks of an action, once. */
export async function undoAction(
  deps: ManagementDeps,
  caller: Caller,
  workspaceId: string,
  actionId: string,
): Promise<{ id: string }> {
  const { pool, clock, leadActions } = deps;
  const now = new Date(clock.now());
  const id = await inTransaction(pool, async (client) => {
    await lockWorkspace(client, workspaceId);
    const undo = await findUndo(client, workspaceId, actionId);
    if (undo !== null) return undo;
    const found = (await findLeadAction(client, workspaceId, actionId)) ?? missingAction();
    if (found.kind !== 'mark') throw notUndoable('Only marks can be undone.');
    if (found.finishedAt !== null && found.finishedAt.getTime() + undoableMs <= now.getTime())
      throw notUndoable('The marks are more than 24 hours old.');
    const others = (await listUnfinishedActions(client, workspaceId)).filter((one) => one.id !== actionId);
    requirePlace(others);
    await stopLeadAction(client, found, 'person', now);
    // Read again: a step that was in progress has ended now.
    const { mark, changed } = (await findLeadAction(client, workspaceId, actionId)) ?? missingAction();
    const what = { kind: 'undo', mark, undoes: actionId, selection: null } as const;
    const counted = { count: changed, isExact: true };
    const call = contract.undoMarking;
    return insert(client, deps, caller, workspaceId, randomUUID(), { call, now, ...what, ...counted });
  });
  leadActions.wake();
  return { id };
}

type NewAction = Pick<LeadActionRecord, 'kind' | 'mark' | 'undoes' | 'selection'> &
  Counted & { readonly call: CallDeclaration; readonly now: Date };

async function insert(
  client: pg.PoolClient,
  deps: ManagementDeps,
  { principal, client: { address } }: Caller,
  workspaceId: string,
  id: string,
  { call, now, kind, mark, undoes, selection, count, isExact }: NewAction,
): Promise<string> {
  const isNothing = count === 0 && isExact;
  await insertLeadAction(client, {
    ...{ workspaceId, id, kind, mark, undoes, total: count, isTotalExact: isExact },
    selection: isNothing ? null : selection,
    ...{ done: 0, changed: 0, afterAt: null, afterId: null, failures: 0, stopReason: null },
    ...actorOf(principal),
    createdAt: now,
    createdBy: nameOf(principal),
    finishedAt: isNothing ? now : null,
  });
  const leads = `${isExact ? '' : 'at least '}${count.toLocaleString('en')} ${count === 1 ? 'lead' : 'leads'}`;
  const changes = kind === 'mark' ? { leads, mark } : { leads };
  const what = { action: operationId(call), target: { id }, changes, address: address || null };
  await insertAudit(client, auditRecord(deps, principal, workspaceId, what, true));
  return id;
}

/** What it was about is known until it has ended. */
function knownAction(
  known: LeadActionRecord,
  { kind, mark, selection }: Pick<LeadActionRecord, 'kind' | 'mark' | 'selection'>,
): { id: string } {
  const isOfOthers = known.selection !== null && !isDeepStrictEqual(known.selection.ids, selection?.ids);
  if (known.kind !== kind || known.mark !== mark || isOfOthers)
    throw new Problem('action_conflict', 'An action with this ID exists, and it does something else.');
  return { id: known.id };
}

/** Leads that arrive from now on do not belong to it. */
function selectionOf({ ids, filter }: contract.LeadSelectionInput, now: Date): LeadSelection {
  if (ids !== undefined) return { ids: [...new Set(ids)].toSorted() };
  const { to } = filter ?? {};
  const isPast = to !== undefined && Date.parse(to) <= now.getTime();
  return { filter: { ...filter, to: isPast ? to : now.toISOString() } };
}

async function countSelected(
  deps: ManagementDeps,
  workspaceId: string,
  { ids, filter }: LeadSelection,
  { expected_count, any_number }: contract.LeadSelectionInput,
): Promise<Counted> {
  if (ids !== undefined) return { count: ids.length, isExact: true };
  const counted = await countMatching(
    deps,
    workspaceId,
    await filterOf(deps.pool, workspaceId, filter ?? {}),
  );
  const { count, isExact } = counted;
  if (any_number === true) return counted;
  if (!isExact)
    throw new Problem(
      'selection_changed',
      `There are at least ${count}, too many to count them exactly. Use a narrower filter, or \`any_number\`.`,
    );
  if (count > (expected_count ?? 0))
    throw new Problem('selection_changed', `${count} leads match, but you expected ${expected_count}.`);
  return counted;
}

function requirePlace(unfinished: readonly LeadActionRecord[]): void {
  if (unfinished.length < inProgressMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${inProgressMax} actions on many leads in progress. Wait until one of them is finished.`,
  );
}

function notUndoable(detail: string): Problem {
  return new Problem('not_undoable', detail);
}

export function missingAction(): never {
  throw notFound('action');
}
