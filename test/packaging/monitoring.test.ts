import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const folder = join(import.meta.dirname, '../../packaging');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

let service: TestService;
let known: Set<string>;

beforeAll(async () => {
  service = await startTestService();
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { Authorization: `Bearer ${service.operatorKey}` },
  });
  const metrics = [...(await answer.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  known = new Set(
    metrics.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
});
afterAll(() => service.stop());

/** What looks like a metric: PromQL's own functions and our labels have other names. */
function metricsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:leadgate|process)_[a-z_]+\b/g))];
}

function dashboardQueries(): string {
  const dashboard = JSON.parse(read('grafana-dashboard.json'));
  const queries = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  );
  return [...queries, ...dashboard.templating.list.map((item: object) => JSON.stringify(item))].join('\n');
}

test.each([
  ['the alert rules', () => read('prometheus-alerts.yaml')],
  ['the dashboard', dashboardQueries],
])('%s ask only for metrics that the service has', (_, queries) => {
  const asked = metricsIn(queries());
  expect(asked.length).toBeGreaterThan(4);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

test('the dashboard shows every metric of the service', () => {
  const shown = metricsIn(dashboardQueries());
  const missing = [...known].filter(
    (name) =>
      !shown.some(
        (other) => other.replace(/_(?:bucket|sum|count)$/, '') === name.replace(/_(?:bucket|sum|count)$/, ''),
      ),
  );
  expect(missing).toEqual([]);
});

test('the page of metrics lists every metric of the service, and no other: run npm run docs:reference after a change', () => {
  const page = readFileSync(join(folder, '../docs/metrics.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| (?:counter|gauge|histogram) \|/gm)].map(
    ([, name]) => name,
  );
  const answered = [...known].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  expect(listed).toEqual([...new Set(answered)].toSorted());
});

test('every alarm of the operating page that names a metric has a rule', () => {
  const page = readFileSync(join(folder, '../docs/operating.md'), 'utf8');
  const table = page.slice(page.indexOf('## Alarms'), page.indexOf('## Start without PostgreSQL'));
  const rules = metricsIn(read('prometheus-alerts.yaml'));
  // Nothing is to be done about a torn write, so nobody is woken for it.
  const named = metricsIn(table).filter((name) => name !== 'leadgate_spool_torn_total');
  expect(named.filter((name) => !rules.includes(name))).toEqual([]);
});
