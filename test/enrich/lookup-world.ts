import pg from 'pg';
import { expect } from 'vitest';
import { shardOf } from '../../src/domain/workspace.ts';
import { ManualClock } from '../support/clocks.ts';
import { eventually } from '../support/diagnostics.ts';
import { TestInternet } from '../support/egress.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
export type Enrichment = any;

export const env = { ENRICH_NETWORK: 'full' };

/** A service that may use the network, and the network it may use. */
export class LookupWorld {
  readonly clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
  readonly internet = new TestInternet();
  service!: TestService;
  sender!: Sender;
  database!: pg.Client;
  #domains = 0;

  async start(): Promise<void> {
    await this.internet.start();
    this.service = await startTestService({ env, clock: this.clock, egress: this.internet });
    this.database = new pg.Client({ connectionString: this.service.databaseUrl });
    await this.database.connect();
  }

  /** For each test: its own workspace, and every home page is Acme's. */
  async reset(): Promise<void> {
    this.sender = await createSender(this.service);
    this.internet.requests.length = 0;
    // Retries that an earlier test left behind.
    await this.database.query('delete from graphile_worker._private_jobs where run_at > now()');
    this.internet.handler = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  }

  /** Runs the jobs of a lead once more. */
  async repeatJobs(path: string, tasks = ['enrich', 'look_up']): Promise<void> {
    const { workspaceId } = this.sender;
    const leads = [[shardOf(workspaceId), workspaceId, path.split('/').at(-1)]];
    await this.database.query(
      'select graphile_worker.add_job(task, $1::json) from unnest($2::text[]) as task',
      [JSON.stringify({ providers: ['mx', 'site'], leads }), tasks],
    );
  }

  async stop(): Promise<void> {
    await this.database.end();
    await this.service.stop();
    await this.internet.stop();
  }

  /** A domain that no other test uses. */
  newDomain(): string {
    const domain = `acme-${++this.#domains}.com`;
    this.internet.addHost(domain, `www.${domain}`);
    return domain;
  }

  /** Sends a lead; returns its URL in the API. */
  async lead(fields: object, from = this.sender): Promise<string> {
    const id = submissionIdOf(await post(this.service, from, 'server', JSON.stringify(fields)));
    return `/workspaces/${from.workspaceId}/leads/${id}`;
  }

  async enrichmentOf(path: string, isThere: (found: Enrichment) => boolean): Promise<Enrichment> {
    const ask = async () => (await this.service.api('GET', path)).json?.enrichment;
    return eventually(ask, (found) => found != null && isThere(found));
  }

  /** Runs every planned retry now. */
  async skipWaiting(): Promise<void> {
    await this.database.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
  }

  async setProvider(from: Sender, url: string): Promise<void> {
    const body = { url, mapping: { 'company.industry': 'industry' }, signing_secret: 'secret of the test' };
    const path = `/workspaces/${from.workspaceId}/enrichment-provider`;
    expect((await this.service.api('PUT', path, body)).status).toBe(200);
  }
}

/** The outcome of each network provider. */
export function outcomes(found: Enrichment): Record<string, string> {
  return Object.fromEntries(
    found.providers
      .filter(({ phase }: { phase: string }) => phase !== 'builtin')
      .map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]),
  );
}

export function isSettled(found: Enrichment): boolean {
  return !Object.values(outcomes(found)).includes('pending');
}
