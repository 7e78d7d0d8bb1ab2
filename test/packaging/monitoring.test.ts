import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import { surfaces } from '../../src/domain/surface.ts';
import { HostMetrics } from '../../src/start/supervisor/host-metrics.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { createSender, post, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const folder = join(import.meta.dirname, '../../packaging');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

let service: TestService;
let known: Set<string>;
/** The series and their values right after the start, before any request. */
let atStart: Map<string, number>;

beforeAll(async () => {
  service = await startTestService();
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { Authorization: `Bearer ${service.operatorKey}` },
  });
  // The supervisor of several workers adds its own.
  const supervised = new HostMetrics({ clock: systemClock, workersConfigured: 2 });
  const text = `${await answer.text()}${await supervised.text()}`;
  atStart = new Map(
    [...text.matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm)].map(([, series = '', value]) => [
      series,
      Number(value),
    ]),
  );
  const metrics = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  known = new Set(
    metrics.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
});
afterAll(() => service.stop());

/** All names that look like metrics. PromQL functions and our labels do not match. */
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
])('%s: every metric exists', (_, queries) => {
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

test('the metrics page lists exactly the metrics of the service', () => {
  const page = readFileSync(join(folder, '../docs/metrics.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| (?:counter|gauge|histogram) \|/gm)].map(
    ([, name]) => name,
  );
  const answered = [...known].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  expect(listed).toEqual([...new Set(answered)].toSorted());
});

test('every alert of the operating page that names a metric has a rule', () => {
  const page = readFileSync(join(folder, '../docs/operating.md'), 'utf8');
  const table = page.slice(page.indexOf('## Alerts'), page.indexOf('## Start without PostgreSQL'));
  const rules = metricsIn(read('prometheus-alerts.yaml'));
  // A torn write needs no action, so it has no rule.
  const named = metricsIn(table).filter((name) => name !== 'leadgate_spool_torn_total');
  expect(named.filter((name) => !rules.includes(name))).toEqual([]);
});

/** What an alert selects: the metric, and the label values that it names or excludes. */
const selections = [
  ...read('prometheus-alerts.yaml')
    .replaceAll(/^ *#.*$/gm, '')
    .matchAll(/\b((?:leadgate|process)_[a-z_]+)(?:\{([^}]*)\})?/g),
].map(([text, name = '', matchers = '']) => ({
  text,
  name,
  labels: [...matchers.matchAll(/(\w+)(!~|=~|!=|=)"([^"]*)"/g)].map(([, label, operator, values = '']) => ({
    label,
    isNamed: !operator?.startsWith('!'),
    values: values.split('|'),
  })),
}));

test.each(selections)('the series of an alert exist from the start, at 0: $text', ({ name, labels }) => {
  const series = [...atStart].filter(([text]) => text.replace(/\{.*/, '') === name);
  expect(series.length).toBeGreaterThan(0);
  // Prometheus does not see an increase in a series that starts above 0, so it would miss the first burst.
  if (/_(?:total|bucket|count|sum)$/.test(name))
    expect(series.filter(([, value]) => value !== 0)).toEqual([]);
  for (const { label, isNamed, values } of labels) {
    const there = series.map(([text]) => new RegExp(`${label}="([^"]*)"`).exec(text)?.[1]);
    if (isNamed) expect(there).toEqual(expect.arrayContaining(values));
    else expect(there.filter((value) => !values.includes(value as string)).length).toBeGreaterThan(0);
  }
});

test('every rejection reason has a series from the start, on each surface', () => {
  for (const surface of surfaces) {
    for (const { code } of rejectionReasons)
      expect(atStart.get(`leadgate_ingest_requests_total{surface="${surface}",outcome="${code}"}`)).toBe(0);
  }
});

test('requests and new workspaces add no series', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'server');
  await post(service, sender, 'webhook', someLead, { secret: 'wrong' });
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { Authorization: `Bearer ${service.operatorKey}` },
  });
  const names = [...(await answer.text()).matchAll(/^([a-z_]+(?:\{[^}]*\})?) \S+$/gm)].map(
    ([, series]) => series,
  );
  const ownSeries = [...atStart.keys()].filter((series) => !series.startsWith('leadgate_worker'));
  expect(names.toSorted()).toEqual(ownSeries.toSorted());
  expect(names.length).toBeLessThan(300);
});
