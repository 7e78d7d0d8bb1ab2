import type { ChosenHeld, HeldChoice } from '../../../src/db/held/decisions/chosen-held.ts';
import type { SealedRow } from '../../../src/db/held/decisions/held-rows.ts';
import type { HeldDecisionDatabase } from '../../../src/db/held/held-decision-database.ts';
import { defaultScoringSettings } from '../../../src/domain/score/settings/settings.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { type Asking, ask, askShard } from '../deliver/deliver-client.ts';
import type { HeldRequest, HeldRows } from './held-rows.ts';

const scoring = { fields: [], settings: defaultScoringSettings, version: 0, learned: null };
/** Encrypted values differ each time. */
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).join(' ');
const entriesOf = (outcomes: ReadonlyMap<string, unknown>) => JSON.stringify([...outcomes]);

/** Like postgresHeldDecisions of src/db/held/held-decision-database.ts. */
export function heldDecisionsOf(asking: Asking): HeldDecisionDatabase {
  const { tables, directory } = asking.server;
  const { held } = tables;
  const { decisions } = held;
  const once = <T>(name: string, work: () => T) => ask(asking, { name, work });
  const at = <T>(workspaceId: string, name: string, work: () => T, told: (value: T) => string) =>
    askShard(asking, shardOf(workspaceId), { name, work, told });
  return {
    take: (now, until) => once('take decision', () => decisions.take(now, until)),
    findNextTurn: (now) => once('next decision', () => decisions.findNextTurn(now)),
    noteProgress: (decision, progress, now) =>
      once('note progress', () => decisions.note(decision, progress, now)),
    stop: (workspaceId, id, stoppedAt) =>
      once('stop decision', () => decisions.stop(workspaceId, id, stoppedAt)),
    listFormIds: (workspaceId) => once('forms', () => directory.formIds(workspaceId)),
    listChosen: (workspaceId, choice, limit) =>
      at(workspaceId, 'chosen', () => listChosen(held, workspaceId, choice, limit), idsOf),
    readRows: (workspaceId, ids, now) =>
      at(workspaceId, 'held rows', () => readRows(held, workspaceId, ids, now), idsOf),
    findScoring: (workspaceId, formId) =>
      once('scoring', () => (directory.formIds(workspaceId).includes(formId) ? scoring : null)),
    admit: (workspaceId, wanted, admission) =>
      at(workspaceId, 'admit', () => tables.admitRows(workspaceId, wanted, admission), entriesOf),
    discard: (workspaceId, ids, discard) =>
      at(workspaceId, 'discard', () => tables.discardRows(workspaceId, ids, discard), entriesOf),
  };
}

export function listChosen(
  { requests }: HeldRows,
  workspaceId: string,
  { selection, now, admissibleOf, afterId, lastId, decisionId }: HeldChoice,
  limit: number,
): ChosenHeld[] {
  const { ids, reason, form_id: formId, class: heldClass } = selection;
  const isOpen = (row: HeldRequest) =>
    row.state === 'held' &&
    (admissibleOf === null || ('AB'.includes(row.class) && admissibleOf.includes(row.formId)));
  return [...requests.values()]
    .filter(
      (row) =>
        row.workspaceId === workspaceId &&
        row.expiresAt > now &&
        (afterId == null || row.id > afterId) &&
        (lastId === undefined || row.id <= lastId) &&
        (ids === undefined || ids.includes(row.id)) &&
        (reason === undefined || row.reason === reason) &&
        (formId === undefined || row.formId === formId) &&
        (heldClass === undefined || row.class === heldClass) &&
        (isOpen(row) || (decisionId !== undefined && row.decisionId === decisionId)),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ sealed, ...row }) => ({ ...row, bytes: sealed?.length ?? 0 }));
}

function readRows(held: HeldRows, workspaceId: string, ids: readonly string[], now: Date): SealedRow[] {
  return ids
    .flatMap((id) => held.find(workspaceId, id) ?? [])
    .filter(({ expiresAt }) => expiresAt > now)
    .map((row) => ({ ...row, bytes: row.sealed?.length ?? null }));
}
