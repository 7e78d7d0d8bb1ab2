import type { HealthPoint } from '../../../../src/contract/operator/health.ts';
import { shortNumber } from '../../../parts/numbers.ts';

interface Chart {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly name: Exclude<keyof HealthPoint, 'at'> }[];
  readonly max?: number;
  text(value: number): string;
}

const duration = (ms: number) =>
  ms < 1_000 ? `${shortNumber(ms < 10 ? ms : Math.round(ms))} ms` : `${shortNumber(ms / 1_000)} s`;
const percent = (value: number) => `${shortNumber(value)} %`;

/** In the order of the page and of its table. */
export const charts: readonly Chart[] = [
  {
    title: 'Leads per second',
    lines: [{ label: 'Leads per second', name: 'leads_per_second' }],
    text: shortNumber,
  },
  {
    title: 'Commit, p50 / p99',
    lines: [
      { label: 'Commit p50', name: 'commit_p50_ms' },
      { label: 'Commit p99', name: 'commit_p99_ms' },
    ],
    text: duration,
  },
  { title: 'Leads in the spool', lines: [{ label: 'Spool', name: 'spool_leads' }], text: shortNumber },
  { title: 'Leads in the queue', lines: [{ label: 'Queue', name: 'queue_leads' }], text: shortNumber },
  {
    title: 'Enrichment jobs waiting',
    lines: [{ label: 'Enrichment', name: 'enrichment_waiting' }],
    text: shortNumber,
  },
  { title: 'Disk used', lines: [{ label: 'Disk', name: 'disk_used_percent' }], max: 100, text: percent },
];
