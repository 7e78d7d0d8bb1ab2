import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { callApi, type SeededWorkspace, seedService } from '../seed.ts';
import type { Sink } from './sink.ts';

/** One instance with its database, and a receiver. */
export interface Stage {
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly sink: Sink;
  /** Shorter, for a first look. */
  readonly isQuick: boolean;
}

/** A line of the report. */
export interface Row {
  readonly figure: string;
  readonly measured: string;
  readonly goal: string;
  readonly isGood: boolean;
}

const pollMs = 100;
const idleMsMax = 600_000;

export async function createWorkspaces(
  { port }: Stage,
  name: string,
  count: number,
): Promise<readonly SeededWorkspace[]> {
  return seedService(port, count, name);
}

/** Gets all leads without waiting for enrichment, at any pace. Returns its ID. */
export async function createDestination(
  { port, sink }: Pick<Stage, 'port' | 'sink'>,
  { workspaceId }: SeededWorkspace,
  path: string,
  settings: object = {},
): Promise<string> {
  const { id } = await callApi(port, 'POST', `/workspaces/${workspaceId}/destinations`, {
    name: path,
    kind: 'webhook',
    url: sink.urlOf(path),
    filter: { all: [] },
    events: ['lead.accepted'],
    send_when: 'accepted',
    per_second: 500,
    ...settings,
  });
  return String(id);
}

/** Waits until nothing is left to send, so that one figure does not slow down the next. */
export async function untilIdle(
  { databaseUrl }: Stage,
  exceptDestination: string | null = null,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = Date.now() + idleMsMax; ; await sleep(pollMs)) {
      const { rows } = await client.query(
        `select (select count(*) from enrichment_outbox)
           + (select count(*) from deliveries where state = 'pending' and destination_id is distinct from $1) as left`,
        [exceptDestination],
      );
      if (Number(rows[0].left) === 0) return;
      if (Date.now() > deadline) throw new Error(`${rows[0].left} notes and deliveries are left`);
    }
  } finally {
    await client.end();
  }
}

export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
