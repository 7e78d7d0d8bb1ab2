import type { AuditEntry } from '../../../src/contract/audit.ts';

/** Entries in a row by the same person that say the same. */
export interface Series {
  /** Newest first. */
  readonly entries: readonly [AuditEntry, ...AuditEntry[]];
  /** How often it happened: some entries stand for several events. */
  readonly count: number;
  /** Earlier entries that are not loaded may belong to it. */
  readonly isOpen: boolean;
}

/** A longer pause begins a new series. */
const pauseMsMax = 3_600_000;

export function seriesOf(entries: readonly AuditEntry[], hasMore: boolean): Series[] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && continues(last, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group, place) => ({
    entries: group,
    count: group.reduce((sum, { count }) => sum + count, 0),
    isOpen: hasMore && place === groups.length - 1,
  }));
}

function continues(newer: AuditEntry, older: AuditEntry): boolean {
  return (
    keyOf(newer) === keyOf(older) && new Date(newer.at).getTime() - new Date(older.at).getTime() <= pauseMsMax
  );
}

function keyOf({ actor, action, series, outcome }: AuditEntry): string {
  return JSON.stringify([actor.kind, actor.id, action, series, outcome]);
}

/** "Ada marked 14 leads as spam"; "at least 14" if there may be more. */
export function seriesText({ entries: [{ text, series }], entries, count, isOpen }: Series): string {
  if (entries.length === 1) return text;
  return `${series.before}${isOpen ? 'at least ' : ''}${count}${series.after}`;
}
