import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../support/diagnostics.ts';
import { preparedDataDir, type ServiceProcess, starterToken, startProcess } from '../support/process.ts';
import { type Answer, send } from '../support/sender.ts';
import { operatorKey } from '../support/service.ts';

const dataDir = preparedDataDir();
/** The service with its embedded database, as its users run it. `npm run chaos` kills for longer, and PostgreSQL too. */
const connections = 16;
// Of which at least half are of leads of their own.
const answersBefore = 60;

let service: ServiceProcess;

afterAll(async () => {
  await service?.kill('SIGTERM');
  dataDir.remove();
});

/** What the senders know: the body of every lead that was answered with 202, by its submission id. */
const ledger = new Map<string, string>();
const idsByKey = new Map<string, Set<string>>();
const foreignStatuses: number[] = [];
let answers = 0;

async function api(path: string): Promise<Response> {
  return fetch(`${service.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${operatorKey}` } });
}

function bodyOf(marker: string): string {
  return JSON.stringify({ marker, email: 'ada@analytical.engine' });
}

/** Sends one lead after another until the service is gone; half of them have a key and are sent twice. */
async function sendUntilGone(url: string, token: string): Promise<void> {
  for (let number = 0; ; number++) {
    const body = bodyOf(randomUUID());
    const key = number % 2 === 0 ? randomUUID() : null;
    const times = key === null ? 1 : 2;
    for (let i = 0; i < times; i++) {
      const answer = await sendOne(url, token, body, key).catch(() => null);
      if (answer === null) return;
      note(answer, body, key);
    }
  }
}

function sendOne(url: string, token: string, body: string, key: string | null): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return send(
    `${url}/api/v1/ingest`,
    'POST',
    key === null ? headers : { ...headers, 'X-SVC-Idempotency-Key': key },
    body,
  );
}

function note({ status, body: answer }: Answer, body: string, key: string | null): void {
  answers++;
  if (status === 202) {
    const id = JSON.parse(answer).submission_id;
    ledger.set(id, body);
    if (key !== null) idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(id));
  } else if (status !== 200) {
    foreignStatuses.push(status);
  }
}

test('kill -9 under load loses and doubles nothing that was answered with 202', async () => {
  service = await startProcess(dataDir.path);
  const token = starterToken(dataDir.path);
  const load = Promise.all(Array.from({ length: connections }, () => sendUntilGone(service.url, token)));
  await eventually(
    async () => answers,
    (count) => count >= answersBefore,
  );
  // Each of the connections is waiting for an answer.
  await service.kill('SIGKILL');
  await load;
  service = await startProcess(dataDir.path);
  // A lead whose commit was too slow waits in the spool for a moment.
  const stored = await eventually(storedLeads, (leads) => [...ledger.keys()].every((id) => leads.has(id)));
  expect(ledger.size).toBeGreaterThan(0);
  expect(foreignStatuses).toEqual([]);
  expect([...ledger].filter(([id, body]) => stored.get(id) !== body)).toEqual([]);
  expect([...idsByKey.values()].filter((ids) => ids.size > 1)).toEqual([]);
  const markers = [...stored.values()];
  expect(new Set(markers).size).toBe(markers.length);
});

async function storedLeads(): Promise<Map<string, string>> {
  const { items } = (await (await api('/workspaces')).json()) as { items: { id: string }[] };
  const lines = await (await api(`/workspaces/${items[0]?.id}/leads/export?format=ndjson`)).text();
  const leads = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return new Map(leads.map((lead) => [lead.submission_id, bodyOf(lead.fields.marker)]));
}
