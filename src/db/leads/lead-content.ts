import { type RawBuilder, sql } from 'kysely';
import { type PackedReason, type StoredReason, unpackReasons } from '../../domain/score/stored-reasons.ts';

/**
 * The fields of a lead as jsonb, in a statement. They are stored only if they differ from the body or are large: most bodies are
 * text that jsonb accepts as it is (domain/lead/lead.ts), and storing it twice costs more than reading it when it is needed.
 */
export function fieldsOf(leads: 'leads' | 'l'): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(`${leads}.fields`)}, convert_from(${sql.ref(`${leads}.body`)}, 'UTF8')::jsonb)`;
}

/** Joins the fields as `content.fields`. PostgreSQL does not merge a subquery with an offset, so it reads each body only once. */
export const withContent = sql`cross join lateral (select ${fieldsOf('leads')} as fields offset 0) as content`;
export const contentFields = sql`content.fields`;

/** A row with its reasons as they were scored. */
export function withReasons<Row extends { readonly reasons: readonly PackedReason[] }>(
  row: Row,
): Row & { readonly reasons: StoredReason[] } {
  return { ...row, reasons: unpackReasons(row.reasons) };
}
