import { hash } from 'node:crypto';

/** Senders choose the names of fields, which can be long. */
export function columnId(column: string): string {
  return hash('sha256', column, 'buffer').readBigInt64BE().toString();
}
