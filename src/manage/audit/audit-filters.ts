import type { AuditGroup, AuditQuery } from '../../contract/audit.ts';
import { type CallDeclaration, operationId } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import type { AuditFilters } from '../../db/workspaces/audit-log.ts';
import { invalidInput } from '../calls/problem.ts';

/** The actions of the calls of each tag, so that a new call belongs to a group without a list of its own. */
export const groupTags: Readonly<Record<string, AuditGroup>> = {
  Account: 'account',
  Workspaces: 'workspace',
  People: 'people',
  Forms: 'forms',
  'Web pages': 'forms',
  'Ingest tokens': 'tokens',
  'API keys': 'keys',
  Destinations: 'destinations',
  Deliveries: 'destinations',
  Leads: 'leads',
  Scoring: 'scoring',
  Enrichment: 'enrichment',
  Diagnostics: 'diagnostics',
  'Saved views': 'leads',
  'Held submissions': 'diagnostics',
  Alarms: 'diagnostics',
  Operator: 'operator',
};

const events: Readonly<Record<string, AuditGroup>> = {
  signIn: 'account',
  signInFailed: 'account',
  signInLimited: 'account',
  passwordChanged: 'account',
  passwordConfirmed: 'account',
  passwordCheckFailed: 'account',
  sessionEnded: 'account',
  otherSessionsEnded: 'account',
  accessRefused: 'refused',
  operatorKeyWrong: 'refused',
};

const actionsByGroup: ReadonlyMap<string, readonly string[]> = groupActions();

function groupActions(): Map<string, string[]> {
  const actions = calls.filter(isRecorded).map((call) => [operationId(call), groupTags[call.tag]] as const);
  const grouped = Map.groupBy([...actions, ...Object.entries(events)], ([, group]) => group ?? '');
  return new Map([...grouped].map(([group, members]) => [group, members.map(([action]) => action)]));
}

/** True for calls that can have an entry. */
export function isRecorded({ method, audit, gives }: CallDeclaration): boolean {
  return (method !== 'get' && audit !== 'reads') || gives !== undefined;
}

export function filtersOf({ actor, action, from, to }: AuditQuery): AuditFilters {
  if (from !== undefined && to !== undefined && from >= to)
    throw invalidInput([{ field: 'to', message: 'from must be earlier than to' }]);
  return {
    actor,
    actions: action === undefined ? undefined : (actionsByGroup.get(action) ?? [action]),
    from,
    to,
  };
}
