import { type RawBuilder, sql } from 'kysely';
import type { HeldClass } from '../../../domain/held/held-class.ts';
import type { RejectionReason } from '../../../domain/rejection.ts';
import type { Surface } from '../../../domain/surface.ts';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { allOf, rowsOf } from '../../sql.ts';
import { areAdmissible } from '../held-counts.ts';

/** Which held requests, as the API has it. */
export interface HeldSelection {
  readonly ids?: readonly string[] | undefined;
  readonly reason?: RejectionReason | undefined;
  readonly form_id?: string | undefined;
  readonly class?: HeldClass | undefined;
}

export interface HeldChoice {
  readonly selection: HeldSelection;
  readonly now: Date;
  /** Only those that can become leads, of these forms; null for all. */
  readonly admissibleOf: readonly string[] | null;
  readonly afterId?: string | null;
  /** Up to this one: what arrives later does not belong to the selection. */
  readonly lastId?: string;
  /** Also those that were decided with this selection before. */
  readonly decisionId?: string;
}

export interface ChosenHeld {
  readonly id: string;
  readonly formId: string;
  readonly surface: Surface;
  readonly class: HeldClass;
  readonly receivedAt: Date;
  readonly bodyBytes: number;
  readonly bodyHash: Buffer;
  readonly keyHash: Buffer | null;
  /** Of its encrypted content. */
  readonly bytes: number;
}

/** In the order in which they arrived, which is that of their ids. */
export async function listChosen(
  db: Queryable,
  workspaceId: string,
  choice: HeldChoice,
  limit: number,
): Promise<ChosenHeld[]> {
  return rowsOf(
    db,
    sql<ChosenHeld>`
      select id, form_id as "formId", surface, class, received_at as "receivedAt", body_bytes as "bodyBytes",
        body_hash as "bodyHash", key_hash as "keyHash", coalesce(octet_length(sealed), 0) as bytes
      from held_submissions where ${chosen(workspaceId, choice)} order by id limit ${limit}`,
  );
}

function chosen(workspaceId: string, choice: HeldChoice): RawBuilder<unknown> {
  const { selection, now, admissibleOf, afterId, lastId, decisionId } = choice;
  const { ids, reason, form_id, class: heldClass } = selection;
  const conditions = [inWorkspace(workspaceId), sql`expires_at > ${now}`];
  if (afterId != null) conditions.push(sql`id > ${afterId}`);
  if (lastId !== undefined) conditions.push(sql`id <= ${lastId}`);
  if (ids !== undefined) conditions.push(sql`id = any (${ids}::uuid[])`);
  if (reason !== undefined) conditions.push(sql`reason = ${reason}`);
  if (form_id !== undefined) conditions.push(sql`form_id = ${form_id}`);
  if (heldClass !== undefined) conditions.push(sql`class = ${heldClass}`);
  const isOpen = [sql`state = 'held'`];
  if (admissibleOf !== null) isOpen.push(areAdmissible, sql`form_id = any (${admissibleOf}::uuid[])`);
  const isOwn = decisionId === undefined ? sql`false` : sql`decision_id = ${decisionId}`;
  return sql`${allOf(conditions)} and (${allOf(isOpen)} or ${isOwn})`;
}
