import { sql } from 'kysely';
import type pg from 'pg';
import type { LearnedModel, NumberedModel } from '../../domain/score/learning/learned-model.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, onlyRow, run } from '../sql.ts';

/** What a form has learned from marks. */
export interface FormLearningRecord {
  readonly number: number;
  /** Null while there is too little to learn from. */
  readonly model: LearnedModel | null;
  /** The leads that count. */
  readonly spamLeads: number;
  readonly wantedLeads: number;
  readonly people: number;
  /** The first mark that counts. */
  readonly since: Date | null;
  readonly learnedAt: Date | null;
  readonly forgottenAt: Date | null;
  readonly forgottenBy: string | null;
}

const columns = sql`number, model, spam_leads as "spamLeads", wanted_leads as "wantedLeads", people, since,
  learned_at as "learnedAt", forgotten_at as "forgottenAt", forgotten_by as "forgottenBy"`;

/** Of a table `form_learning` that is joined as `l`: a `NumberedModel` or null. */
export const learnedModel = sql<NumberedModel | null>`
  case when l.model is not null then jsonb_build_object('number', l.number, 'model', l.model) end`;

/** Null for a form whose leads nobody has marked. */
export async function findFormLearning(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<FormLearningRecord | null> {
  return firstRow(
    db,
    sql<FormLearningRecord>`select ${columns} from form_learning
      where workspace_id = ${workspaceId} and form_id = ${formId}`,
  );
}

/** After a mark has changed. A form that someone is learning again stays due. */
export async function noteLearningDue(
  db: Queryable,
  workspaceId: string,
  formId: string,
  now: Date,
): Promise<void> {
  await run(
    db,
    sql`insert into form_learning as l (form_id, workspace_id, due_at)
      -- Tests and imports have leads of forms that do not exist.
      select id, workspace_id, ${now}::timestamptz from forms
      where workspace_id = ${workspaceId} and id = ${formId}
      on conflict (form_id) do update set due_at = least(l.due_at, excluded.due_at)`,
  );
}

/** After something that concerns several forms that have learned, or one of them. */
export async function noteLearnedDue(
  db: Queryable,
  workspaceId: string,
  now: Date,
  formIds: readonly string[] | null = null,
): Promise<void> {
  await run(
    db,
    sql`update form_learning set due_at = least(due_at, ${now}::timestamptz)
      where workspace_id = ${workspaceId} and (${formIds}::uuid[] is null or form_id = any (${formIds}::uuid[]))`,
  );
}

export interface DueLearning {
  readonly workspaceId: string;
  readonly formId: string;
  readonly forgottenAt: Date | null;
  /** Identifies this turn. */
  readonly until: Date;
}

/** Takes a form for a while; null when none is due. If its instance stops, others take it when that is over. */
export async function takeDueLearning(db: Queryable, now: Date, until: Date): Promise<DueLearning | null> {
  return firstRow(
    db,
    sql<DueLearning>`update form_learning set due_at = ${until}
      where form_id = (
        select form_id from form_learning where due_at <= ${now}
        order by due_at limit 1 for update skip locked)
      returning workspace_id as "workspaceId", form_id as "formId", forgotten_at as "forgottenAt", due_at as until`,
  );
}

export type NewLearning = Pick<
  FormLearningRecord,
  'model' | 'spamLeads' | 'wantedLeads' | 'people' | 'since' | 'learnedAt'
>;

/**
 * False if the form was told to forget in the meantime: then it is due again. A mark that came in the meantime also leaves it
 * due.
 */
export async function saveLearning(
  client: pg.PoolClient,
  { formId, forgottenAt, until }: DueLearning,
  { model, spamLeads, wantedLeads, people, since, learnedAt }: NewLearning,
): Promise<boolean> {
  const saved = await changedBy(
    client,
    sql`update form_learning set model = ${model === null ? null : JSON.stringify(model)}, spam_leads = ${spamLeads},
        wanted_leads = ${wantedLeads}, people = ${people}, since = ${since}, learned_at = ${learnedAt},
        due_at = case when due_at = ${until} then null else due_at end
      where form_id = ${formId} and forgotten_at is not distinct from ${forgottenAt}::timestamptz`,
  );
  return saved > 0;
}

/** Locks the row until the end of the transaction. */
export async function lockModel(client: pg.PoolClient, formId: string): Promise<LearnedModel | null> {
  const row = await firstRow(
    client,
    sql<{
      readonly model: LearnedModel | null;
    }>`select model from form_learning where form_id = ${formId} for update`,
  );
  return row?.model ?? null;
}

/** Every instance reads the model again, under the next number. */
export async function publishModel(client: pg.PoolClient, formId: string, revision: number): Promise<void> {
  await run(
    client,
    sql`update form_learning set number = number + 1, revision = ${revision} where form_id = ${formId}`,
  );
}

/** Marks up to now no longer count. */
export async function forgetLearning(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { at, by }: { readonly at: Date; readonly by: string },
  revision: number,
): Promise<FormLearningRecord> {
  return onlyRow(
    client,
    sql<FormLearningRecord>`
      insert into form_learning as l (form_id, workspace_id, forgotten_at, forgotten_by, revision)
      values (${formId}, ${workspaceId}, ${at}, ${by}, ${revision})
      on conflict (form_id) do update set model = null, spam_leads = 0, wanted_leads = 0, people = 0, since = null,
        forgotten_at = excluded.forgotten_at, forgotten_by = excluded.forgotten_by, revision = excluded.revision,
        -- An instance that is learning it now does not save it.
        due_at = excluded.forgotten_at
      returning ${columns}`,
  );
}
