import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { shardOf } from '../../../src/domain/workspace.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import type { TestService } from '../../support/service.ts';

/** Rows as the ingest plane would leave them, at times and in numbers that a test can choose. */
export class Seed {
  readonly #pool: pg.Pool;

  constructor(service: TestService) {
    this.#pool = openTestPool(service.databaseUrl);
  }

  async stop(): Promise<void> {
    await this.#pool.end();
  }

  async lead(workspaceId: string, values: Record<string, unknown>): Promise<string> {
    const submission_id = randomUUID();
    const fields = values.fields ?? { email: 'ada@example.com' };
    const score = { score: 40, risk: 0, grade: 'B', verdict: 'clean', reasons: '[]', ruleset: 'test' };
    const common = {
      submission_id,
      form_id: randomUUID(),
      surface: 'server',
      received_at: '2026-11-15T08:00:00Z',
    };
    const body = Buffer.from(JSON.stringify(fields));
    await this.#insert('leads', workspaceId, {
      ...common,
      ...score,
      body,
      ...values,
      fields: JSON.stringify(fields),
    });
    return submission_id;
  }

  async enrichment(workspaceId: string, submissionId: string, data: object): Promise<void> {
    const values = {
      submission_id: submissionId,
      enriched_at: '2026-11-15T08:01:00Z',
      data: JSON.stringify({ schema: 1, status: 'complete', provenance: {}, providers: [], ...data }),
    };
    await this.#insert('lead_enrichments', workspaceId, values);
  }

  async held(workspaceId: string, formId: string): Promise<string> {
    const sender = { workspaceId, formId, tokenId: randomUUID(), slug: '', token: '', secret: '' };
    return holdRow(this.#pool, sender);
  }

  async heldDecision(workspaceId: string): Promise<string> {
    const id = randomUUID();
    await this.#pool.query(
      `insert into held_decisions (id, workspace_id, kind, selection, deliver, total, created_at, created_by, finished_at)
       values ($1, $2, 'admission', '{}', true, 0, now(), 'ada@example.com', now())`,
      [id, workspaceId],
    );
    return id;
  }

  async leadAction(workspaceId: string): Promise<string> {
    const id = randomUUID();
    await this.#pool.query(
      `insert into lead_actions (id, workspace_id, kind, total, is_total_exact, created_at, created_by, actor_kind, finished_at)
       values ($1, $2, 'mark', 0, true, now(), 'ada@example.com', 'operator_key', now())`,
      [id, workspaceId],
    );
    return id;
  }

  /** Of the instance without a workspace. */
  async alarm(workspaceId: string | null, values: Record<string, unknown> = {}): Promise<string> {
    const id = randomUUID();
    const at = '2026-11-15T08:00:00Z';
    const row = {
      ...{
        id,
        workspace_id: workspaceId,
        kind: 'all_rejected',
        severity: 'high',
        names: '{}',
        evidence: '{}',
      },
      ...{ opened_at: at, last_at: at, ...values },
    };
    const places = Object.keys(row).map((_, i) => `$${i + 1}`);
    await this.#pool.query(`insert into alarms (${Object.keys(row)}) values (${places})`, Object.values(row));
    return id;
  }

  async idempotencyKey(workspaceId: string, submissionId: string): Promise<void> {
    const hashes = { key_hash: Buffer.from('key'), body_hash: Buffer.from('body') };
    const values = { submission_id: submissionId, ...hashes, expires_at: '2026-11-16T08:00:00Z' };
    await this.#insert('idempotency_keys', workspaceId, values);
  }

  async count(
    workspaceId: string,
    minute: string,
    outcome: string,
    count: number,
    values = {},
  ): Promise<void> {
    const nobody = '00000000-0000-0000-0000-000000000000';
    const keys = { minute, surface: 'server', outcome, form_id: nobody, token_id: nobody };
    await this.#insert('outcome_counts', workspaceId, { ...keys, count, last_at: minute, ...values });
  }

  async rejection(workspaceId: string, at: string, reason: string, values = {}): Promise<string> {
    const id = randomUUID();
    const request = { id, at, surface: 'server', request_id: randomUUID(), detail: '{}' };
    await this.#insert('rejection_entries', workspaceId, { ...request, reason, ...values });
    return id;
  }

  async note(workspaceId: string, at: string, values = {}): Promise<string> {
    const id = randomUUID();
    const request = { id, at, surface: 'server', request_id: randomUUID(), submission_id: randomUUID() };
    await this.#insert('diagnostic_notes', workspaceId, {
      ...request,
      kind: 'idempotency_body_differs',
      ...values,
    });
    return id;
  }

  async unattributed(minute: string, surface: string, reason: string, count: number): Promise<void> {
    await this.query(
      'insert into unattributed_counts (minute, surface, reason, count, last_at) values ($1, $2, $3, $4, $1)',
      [minute, surface, reason, count],
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
  async query(sql: string, values: readonly unknown[] = []): Promise<any[]> {
    return (await this.#pool.query(sql, [...values])).rows;
  }

  async #insert(table: string, workspaceId: string, values: Record<string, unknown>): Promise<void> {
    const row = { shard: shardOf(workspaceId), workspace_id: workspaceId, ...values };
    const places = Object.keys(row).map((_, i) => `$${i + 1}`);
    await this.query(`insert into ${table} (${Object.keys(row)}) values (${places})`, Object.values(row));
  }
}

export async function createWorkspace(service: TestService, name = 'Acme'): Promise<string> {
  return (await service.api('POST', '/workspaces', { name })).json.id;
}

export async function createForm(
  service: TestService,
  workspaceId: string,
  body: object = { name: 'Contact' },
) {
  return (await service.api('POST', `/workspaces/${workspaceId}/forms`, body)).json;
}
