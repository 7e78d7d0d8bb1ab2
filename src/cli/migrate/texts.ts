import { isBucketCount, usualBuckets } from '../../db/citus/buckets.ts';
import type { Distribution } from '../../db/citus/distribute.ts';
import type { MigrationPlan } from '../../db/citus/plan.ts';
import { CliError } from '../exit.ts';
import { countOption } from '../options.ts';
import { counted } from './counted.ts';

const mebibyte = 1024 ** 2;

export function bucketsOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = countOption('--buckets', text);
  if (!isBucketCount(count)) throw new CliError('usage', '--buckets must be 1, 2, 4, 8, 16, 32 or 64.');
  return count;
}

export function migratedText(applied: number, distribution: Distribution | null): string {
  const schema = applied === 0 ? 'The schema is up to date.' : `Applied ${counted(applied, 'migration')}.`;
  if (distribution === null) return schema;
  if (distribution.state === 'local') return `${schema} All tables stay on the coordinator.`;
  const { added, buckets } = distribution;
  return added.length === 0
    ? `${schema} All tables of leads are distributed, in ${counted(buckets, 'bucket')}.`
    : `${schema} Distributed ${counted(added.length, 'table')} in ${counted(buckets, 'bucket')}.`;
}

/** What else to know about a distribution, or null. */
export function adviceOf(distribution: Distribution | null, buckets: number | undefined): string | null {
  if (distribution?.state === 'local')
    return `Citus is installed, but ${distribution.text}. Add nodes with citus_add_node, or let the coordinator itself hold leads (docs/citus.md), then run leadgate migrate again.`;
  if (buckets === undefined || distribution === null || distribution.buckets === buckets) return null;
  return `There are ${counted(distribution.buckets, 'bucket')} already, so --buckets has no effect. docs/citus.md says how to split them.`;
}

export function planLines({ pending, distribution }: MigrationPlan, buckets?: number): string[] {
  const lines = pending.map((name) => `would apply ${name}`);
  if (distribution === null) return lines;
  const { nodes, hasBuckets, tables } = distribution;
  const places = nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  const count = buckets ?? usualBuckets(nodes.length);
  if (!hasBuckets && nodes.length > 0) lines.push(`would create ${counted(count, 'bucket')} on ${places}`);
  if (nodes.length === 0)
    return [...lines, 'would distribute nothing: Citus knows no node that may hold leads'];
  return [
    ...lines,
    ...tables.map(
      ({ name, rows, bytes }) =>
        `would distribute ${name}: ${bytes === 0 ? 'empty' : `about ${counted(rows, 'row')}, ${Math.ceil(bytes / mebibyte).toLocaleString('en')} MiB`}`,
    ),
  ];
}

export function planResult({ pending, distribution }: MigrationPlan) {
  if (distribution === null) return { pending };
  const { nodes, hasBuckets, tables } = distribution;
  const places = nodes.map(({ host, port }) => `${host}:${port}`);
  return { pending, distribution: { nodes: places, has_buckets: hasBuckets, tables } };
}

export function planText(lines: readonly string[]): string {
  return lines.length === 0
    ? 'Nothing to do.'
    : 'Nothing was changed. Without --check, leadgate migrate does this.';
}
