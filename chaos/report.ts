import { formatCount, table } from '../bench/report.ts';
import type { Result } from './run.ts';
import type { Scenario } from './scenario.ts';

const columns: readonly [string, (result: Result) => string][] = [
  ['scenario', ({ scenario }) => scenario],
  ['attempts', ({ figures }) => formatCount(figures.attempts)],
  ['202', ({ figures }) => formatCount(figures.accepted)],
  ['200', ({ figures }) => formatCount(figures.rejected)],
  ['none', ({ figures }) => formatCount(figures.none)],
  ['lost', ({ findings }) => String(findings.lost.length)],
  ['doubled', ({ findings }) => String(findings.doubled.length)],
  ['foreign', ({ findings }) => String(findings.foreign.length)],
  ['kills', ({ kills }) => String(kills)],
  ['promotions', ({ promotions }) => String(promotions.length)],
  ['p50 ms', ({ figures }) => figures.p50Ms.toFixed(1)],
  ['p99 ms', ({ figures }) => figures.p99Ms.toFixed(0)],
  ['max ms', ({ figures }) => figures.maxMs.toFixed(0)],
  ['202 share', ({ figures }) => `${(figures.acceptedShare * 100).toFixed(2)} %`],
  ['drain s', ({ drainSeconds }) => drainSeconds?.toFixed(1) ?? 'never'],
  ['verdict', verdictOf],
];

export function verdictOf({ faults, below }: Result): string {
  return faults.length > 0 ? 'BROKEN' : below.length > 0 ? 'BELOW' : 'ok';
}

export function isEnough(results: readonly Result[], { enough }: Scenario): boolean {
  const { accepted = 0, kills = 0 } = enough ?? {};
  return acceptedIn(results) >= accepted && killsIn(results) >= kills;
}

export function formatResults(results: readonly Result[]): string {
  const rows = results.map((result) => columns.map(([, cell]) => cell(result)));
  const lines = [
    ...table([columns.map(([name]) => name), ...rows]),
    '',
    ...results.flatMap(({ scenario, faults, below, notes }) => [
      ...faults.map((fault) => `BROKEN ${scenario}: ${fault}`),
      ...below.map((missed) => `BELOW  ${scenario}: ${missed}`),
      ...notes.map((note) => `       ${scenario}: ${note}`),
    ]),
    totals(results),
  ];
  return `${lines.join('\n')}\n`;
}

function totals(results: readonly Result[]): string {
  const accepted = acceptedIn(results);
  const bound = accepted > 0 ? (3 / accepted).toExponential(1) : '';
  const promotions = results.reduce((sum, result) => sum + result.promotions.length, 0);
  const counts = `${formatCount(accepted)} leads acknowledged, ${killsIn(results)} processes killed, ${promotions} promotions`;
  return `${counts}. Nothing lost in that many means, at 95 %, less than ${bound} lost.`;
}

function acceptedIn(results: readonly Result[]): number {
  return results.reduce((sum, { figures }) => sum + figures.accepted, 0);
}

function killsIn(results: readonly Result[]): number {
  return results.reduce((sum, { kills }) => sum + kills, 0);
}
