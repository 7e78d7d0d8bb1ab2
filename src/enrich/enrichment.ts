import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { budgetDay, deleteOldBudgets, spendQuestion } from '../db/enrichment/enrichment-budgets.ts';
import { deleteExpiredAnswers } from '../db/enrichment/enrichment-cache.ts';
import { addEnrichJob, addLookupJobs, releaseAbandonedJobs } from '../db/enrichment/enrichment-jobs.ts';
import { deleteOldDomains, learnedMs } from '../db/enrichment/learned-domains.ts';
import { isOutage } from '../db/errors.ts';
import { byShard, type LeadRef } from '../db/leads/lead-ref.ts';
import { inTransaction } from '../db/pool.ts';
import type { NetworkMode } from '../domain/enrichment/vocabulary.ts';
import type { SecretBox } from '../domain/secrets/secret-box.ts';
import type { Egress } from '../net/egress.ts';
import { SafeHttp } from '../net/safe-http.ts';
import type { Nodes } from '../relay/nodes.ts';
import { type Clock, dayMs, hourMs, type Loop } from '../time/clock.ts';
import { giveWay, Portion } from '../time/give-way.ts';
import { type AskAboutLeadsDeps, askAboutLeads } from './jobs/ask-about-leads.ts';
import { enrichLeads } from './jobs/enrich-leads.ts';
import { postponedLookup } from './jobs/follow-up-jobs.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { Answers } from './lookup/answers.ts';
import { CircuitBreaker, HostLimits } from './lookup/hosts.ts';

export interface EnrichmentDeps {
  readonly pool: pg.Pool;
  readonly nodes: Nodes;
  readonly clock: Clock;
  readonly log: Logger;
  /** True while this process has more urgent work: senders wait for responses, nobody waits for enrichment. */
  readonly isBusy: () => boolean;
  readonly network: NetworkMode;
  readonly egress: Egress;
  readonly secretBox: SecretBox;
  /** The prefix of the headers that sign requests to an external provider. */
  readonly headerPrefix: string;
  readonly onLookup: (provider: string, outcome: string) => void;
}

const pauseMs = 500;
const yieldMsMax = 30_000;
// Far longer than a job may take, including all waiting.
const claimMsMax = 300_000;
const reclaimMs = 60_000;
// Senders get a turn between two slices of a job: this many leads take a few milliseconds.
const leadsPerSliceMax = 100;
const leadsPerSliceMin = 10;
const lookupJobsAtOnce = 4;
// For leads whose node is down. A failed try would count, and after ten their job would be abandoned.
const nodeDownMs = 30_000;
const expiredAnswersPerPassMax = 5_000;
const budgetDaysKept = 30;

const leadTuples = z
  .array(z.tuple([z.number(), z.string(), z.string()]))
  .transform((list) =>
    list.map(([shard, workspaceId, submissionId]): LeadRef => ({ shard, workspaceId, submissionId })),
  );
const enrichPayload = z.object({ leads: leadTuples });
const lookupPayload = z.object({ leads: leadTuples, providers: z.array(z.string()) });

/**
 * The relay turns notes of commits into jobs, and a runner processes them. A failed job is retried with growing delays. A runner that loses the database ends and is replaced. Lookups have their
 * own runner, so that a slow host does not delay work that needs no network.
 *
 * On a cluster each transaction has leads of one shard, so that it is on one node; see inShardOf in db/leads/lead-ref.ts.
 * The node commits before the coordinator, which has the jobs. So if the coordinator fails in between, results are stored
 * and the jobs that follow from them are not. The present job is then not done either, and runs again: it adds them.
 */
export class Enrichment {
  readonly #deps: EnrichmentDeps;
  readonly #stopping = new AbortController();
  readonly #runners: JobRunner[];
  readonly #nodes: Nodes;
  readonly #slice = new Portion(leadsPerSliceMin, leadsPerSliceMax);
  #loops: readonly Loop[] = [];

  constructor(deps: EnrichmentDeps) {
    this.#deps = deps;
    this.#nodes = deps.nodes;
    this.#runners = [
      new JobRunner(deps, 1, { enrich: (payload) => this.#enrich(enrichPayload.parse(payload).leads) }),
    ];
    if (deps.network !== 'off') this.#runners.push(this.#lookupRunner());
  }

  start(): void {
    const { pool, clock } = this.#deps;
    const forgetOld = async () => {
      await deleteExpiredAnswers(pool, new Date(clock.now() - dayMs), expiredAnswersPerPassMax);
      await deleteOldDomains(pool, new Date(clock.now() - learnedMs));
      await deleteOldBudgets(pool, budgetDay(clock.now() - budgetDaysKept * dayMs));
    };
    this.#loops = [
      ...this.#runners.map((runner) => this.#repeat(() => runner.run(), pauseMs)),
      this.#repeat(() => releaseAbandonedJobs(pool, claimMsMax), reclaimMs),
      this.#repeat(forgetOld, hourMs),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const loops = this.#loops.map((loop) => loop.stop());
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all(loops);
  }

  #repeat(work: () => Promise<unknown>, pauseMs: number): Loop {
    const { clock, log } = this.#deps;
    return clock.repeat(work, {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'enrichment interrupted; trying again'),
    });
  }

  async #enrich(leads: readonly LeadRef[]): Promise<void> {
    let waitMs = yieldMsMax;
    const postponed = await this.#byNode(leads, async (together) => {
      for (let done = 0; done < together.length; ) {
        const waitedMs = await this.#giveWay(waitMs);
        waitMs -= waitedMs;
        const slice = together.slice(done, done + this.#slice.after(waitedMs));
        await enrichLeads(slice, this.#deps);
        done += slice.length;
      }
    });
    if (postponed.length > 0) await addEnrichJob(this.#deps.pool, postponed, nodeDownMs);
  }

  async #lookUp(
    leads: readonly LeadRef[],
    providers: readonly string[],
    deps: AskAboutLeadsDeps,
  ): Promise<void> {
    const postponed = await this.#byNode(leads, (together) =>
      askAboutLeads(together, providers, deps, this.#stopping.signal),
    );
    if (postponed.length === 0) return;
    const job = postponedLookup(postponed, providers, nodeDownMs);
    await inTransaction(deps.pool, (client) => addLookupJobs(client, [job]));
  }

  /** On a cluster, works on leads that are on one node. Returns those whose node is down. */
  async #byNode(
    leads: readonly LeadRef[],
    work: (together: readonly LeadRef[]) => Promise<void>,
  ): Promise<LeadRef[]> {
    if (!(await this.#nodes.areSeveral())) {
      await work(leads);
      return [];
    }
    const postponed: LeadRef[] = [];
    for (const together of byShard(leads)) {
      try {
        await work(together);
      } catch (error) {
        if (!isOutage(error)) throw error;
        this.#deps.log.warn({ err: error, leads: together.length }, 'enrichment postponed; a node is down');
        postponed.push(...together);
      }
    }
    return postponed;
  }

  #lookupRunner(): JobRunner {
    const { egress, ...deps } = this.#deps;
    const answers = new Answers({
      ...deps,
      names: egress.names,
      http: new SafeHttp(egress, deps.clock),
      limits: new HostLimits(),
      breaker: new CircuitBreaker(),
      spend: (workspaceId) => spendQuestion(deps.pool, workspaceId, budgetDay(deps.clock.now())),
    });
    return new JobRunner(deps, lookupJobsAtOnce, {
      look_up: async (payload) => {
        const { leads, providers } = lookupPayload.parse(payload);
        await this.#giveWay();
        await this.#lookUp(leads, providers, { ...deps, answers });
      },
    });
  }

  /** Returns how long it waited, at most about `waitMsMax`. */
  async #giveWay(waitMsMax = yieldMsMax): Promise<number> {
    const { clock, isBusy } = this.#deps;
    return giveWay({ clock, isBusy, msMax: waitMsMax, stopping: this.#stopping.signal });
  }
}
