import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { AuditEntry } from '../../contract/audit.ts';
import * as contract from '../../contract/audit.ts';
import { type Access, type CallDeclaration, operationId } from '../../contract/call.ts';
import { id } from '../../contract/shape.ts';
import type { PageRequest } from '../../db/keyset.ts';
import {
  type AuditRecord,
  type AuditRow,
  completeAudit,
  insertAudit,
  listAudit,
  listOperatorAudit,
  withdrawAudit,
} from '../../db/workspaces/audit-log.ts';
import { findAuditNames } from '../../db/workspaces/audit-names.ts';
import type { Principal } from '../calls/access.ts';
import { isOperator, nameOf } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { Problem } from '../calls/problem.ts';
import { type Asked, type Route, route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { filtersOf } from './audit-filters.ts';
import { type AuditText, auditText } from './audit-text.ts';

export const auditRoutes = [
  route(contract.listAudit, async ({ params: { workspace_id }, query }, { pool }) => {
    const filters = filtersOf(query);
    const listing = {
      fetch: async (request: PageRequest) =>
        withText(pool, workspace_id, await listAudit(pool, workspace_id, filters, request)),
      position: ({ at, id }: TextedRow) => ({ at, id }),
      view: viewEntry,
    };
    return page(query, listing, filters);
  }),
  route(contract.listOperatorAudit, async ({ query }, { pool }) => {
    const filters = { ...filtersOf(query), workspaceId: query.workspace_id };
    const listing = {
      fetch: async (request: PageRequest) =>
        withText(pool, null, await listOperatorAudit(pool, filters, request)),
      position: ({ at, id }: TextedRow) => ({ at, id }),
      view: (row: TextedRow) => ({ ...viewEntry(row), workspace_id: row.workspaceId }),
    };
    return page(query, listing, filters);
  }),
];

/** Runs a call that changes something or gives it away, and records who made it. The row is written first. */
export async function audited(
  { declaration, handle }: Route,
  asked: Asked,
  deps: ManagementDeps,
): Promise<unknown> {
  const { pool, log } = deps;
  const { method, gives } = declaration;
  const { workspace_id = null, ...target } = asked.params as Record<string, string>;
  const what = {
    action: operationId(declaration),
    target,
    changes: changesIn(declaration, method === 'get' ? asked.query : asked.body),
    byOperator: isByOperator(declaration.access, asked.principal),
    address: asked.client.address || null,
  };
  const record = auditRecord(deps, asked.principal, workspace_id, what, false);
  await insertAudit(pool, record);
  try {
    const result = await handle(asked, deps);
    await completeAudit(pool, record.id, method === 'post' ? idOf(result) : {}).catch((error) =>
      log.warn({ err: error, audit_id: record.id }, 'audit log entry not completed'),
    );
    const given = what.changes.purpose === 'view' ? 'view' : gives;
    if (given !== undefined && isGiven(given, result)) logGift(deps, given, record);
    return result;
  } catch (error) {
    // A call that we refused changed nothing. The outcome of any other failure is unknown.
    if (error instanceof Problem) await withdrawAudit(pool, record.id).catch(() => {});
    throw error;
  }
}

export function auditRecord(
  { clock }: Pick<ManagementDeps, 'clock'>,
  principal: Principal,
  workspaceId: string | null,
  what: Pick<AuditRecord, 'action' | 'target' | 'changes'> &
    Partial<Pick<AuditRecord, 'byOperator' | 'address'>>,
  completed: boolean,
): AuditRecord {
  return {
    id: randomUUID(),
    workspaceId,
    at: new Date(clock.now()),
    ...actorOf(principal),
    byOperator: false,
    address: null,
    times: 1,
    ...what,
    completed,
  };
}

function actorOf(principal: Principal): Pick<AuditRecord, 'actorKind' | 'actorId' | 'actorName'> {
  if (principal.kind === 'api_key') {
    const { id, name } = principal.key;
    return { actorKind: 'api_key', actorId: id, actorName: name };
  }
  if (principal.kind === 'nobody') return { actorKind: 'nobody', actorId: null, actorName: 'nobody' };
  const isPerson = principal.kind === 'person';
  return {
    actorKind: isPerson ? 'person' : 'operator_key',
    actorId: isPerson ? principal.person.id : null,
    actorName: nameOf(principal),
  };
}

const giftNames = {
  leads: 'leadsExported',
  body: 'bodyDownloaded',
  view: 'bodyViewed',
  secret: 'secretShown',
} as const;

function logGift({ log }: ManagementDeps, gives: keyof typeof giftNames, record: AuditRecord): void {
  const { workspaceId, actorKind, actorId, action, target, address } = record;
  const actorIds = { [actorKind === 'api_key' ? 'api_key_id' : 'person_id']: actorId ?? undefined };
  const facts = { event: giftNames[gives], actor: actorKind, ...actorIds, address };
  log.info({ ...facts, workspace_id: workspaceId, operation: action, target }, 'security event');
}

/** Under these names a response has a secret. */
const secretNames = ['token', 'key', 'secret', 'signing_secret', 'link'] as const;

/** A link is not in the response if there is a mail server, and a signing secret only if one was generated. */
function isGiven(gives: keyof typeof giftNames, result: unknown): boolean {
  if (gives !== 'secret') return true;
  const answer = result as Partial<Record<(typeof secretNames)[number], string | null>>;
  return secretNames.some((name) => typeof answer[name] === 'string');
}

function isByOperator({ by, operatorsToo }: Access, principal: Principal): boolean {
  if (by === 'operator' || by === 'operator_key') return true;
  return operatorsToo === true && isOperator(principal);
}

/** Every field that was sent, with values only for the fields that the contract lists. */
function changesIn(
  { audited = [], auditedHosts = [] }: CallDeclaration,
  body: unknown,
): Record<string, unknown> {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && !(value instanceof Map && value.size === 0),
  );
  const shown = (name: string, value: unknown) => {
    if (auditedHosts.includes(name)) return URL.parse(String(value))?.host ?? '…';
    return audited.includes(name) ? value : '…';
  };
  return Object.fromEntries(fields.map(([name, value]) => [name, shown(name, value)]));
}

/** The id of what a POST created. */
function idOf(result: unknown): Record<string, string> {
  const id = typeof result === 'object' && result !== null && 'id' in result ? result.id : undefined;
  return typeof id === 'string' ? { id } : {};
}

type TextedRow = AuditRow & AuditText;

/**
 * Present names for what an entry does not name itself, and only for completed calls: others may contain ids that the caller has no
 * access to.
 */
async function withText(
  pool: pg.Pool,
  workspaceId: string | null,
  rows: readonly AuditRow[],
): Promise<TextedRow[]> {
  const ids = rows
    .flatMap(({ actorId, target, changes, completed, workspaceId }) => [
      actorId,
      workspaceId,
      ...(completed ? [...Object.values(target), changes.person_id] : []),
    ])
    .filter((value) => id.safeParse(value).success);
  const names = await findAuditNames(pool, workspaceId, [...new Set(ids as string[])]);
  return rows.map((row) => ({ ...row, ...auditText(row, names) }));
}

function viewEntry(row: TextedRow): AuditEntry {
  const { id, at, actorKind, actorId, actorName, text, subject, series, action, target, changes } = row;
  return {
    id,
    at: at.toISOString(),
    actor: { kind: actorKind, id: actorId, name: actorName },
    text,
    subject,
    series,
    action,
    target,
    changes,
    address: row.address,
    count: row.times,
    outcome: row.completed ? 'done' : 'unknown',
  };
}
