import { type PackedReason, type StoredReason, unpackReasons } from '../../domain/score/stored-reasons.ts';

/** A row with its reasons as they were scored. */
export function withReasons<Row extends { readonly reasons: readonly PackedReason[] }>(
  row: Row,
): Row & { readonly reasons: StoredReason[] } {
  return { ...row, reasons: unpackReasons(row.reasons) };
}
