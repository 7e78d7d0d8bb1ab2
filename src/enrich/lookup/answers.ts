import type pg from 'pg';
import {
  type CacheKey,
  claimQuestion,
  publicScope,
  readAnswer,
  releaseQuestion,
  storeAnswer,
} from '../../db/enrichment/enrichment-cache.ts';
import { type Clock, secondMs } from '../../time/clock.ts';
import type { LookupProvider, LookupResult } from '../providers/provider.ts';
import type { Input } from '../reading/input.ts';
import { type AskDeps, askProvider } from './ask.ts';
import { retryKeptMs } from './backoff.ts';

export interface ProviderAnswer {
  readonly result: LookupResult;
  /** True if another lead's lookup provided the result. */
  readonly cached: boolean;
}

export interface AnswersDeps extends AskDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

const pollMs = 200;
// How much longer than the lookup its claim lasts, to allow for the database round trips.
const claimExtraMs = 5 * secondMs;

/**
 * Results of providers, each looked up once: a thousand leads from one company cost one request to its home page. In
 * this instance, others wait for the same promise; other instances see the claim in the table and wait for the result
 * there. If an instance dies, the others wait only until its claim expires.
 */
export class Answers {
  readonly #deps: AnswersDeps;
  readonly #underWay = new Map<string, Promise<ProviderAnswer>>();

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
  }

  async get(
    provider: LookupProvider,
    input: Input,
    workspaceId: string,
    stopping: AbortSignal,
  ): Promise<ProviderAnswer> {
    // Results and failures of an external provider are for its owner alone.
    const scope = provider.phase === 'external' ? workspaceId : publicScope;
    const ask = () => askProvider(provider, input, scope, this.#deps, stopping);
    const key = provider.cacheKey(input);
    if (key === null) return { result: await ask(), cached: false };
    const cacheKey = { provider: provider.id, version: provider.version, scope, key };
    const name = JSON.stringify(Object.values(cacheKey));
    const other = this.#underWay.get(name);
    if (other !== undefined) return { ...(await other), cached: true };
    const answer = this.#askOnce(provider, cacheKey, ask, stopping).finally(() =>
      this.#underWay.delete(name),
    );
    this.#underWay.set(name, answer);
    return answer;
  }

  async #askOnce(
    provider: LookupProvider,
    key: CacheKey,
    ask: () => Promise<LookupResult>,
    stopping: AbortSignal,
  ): Promise<ProviderAnswer> {
    const { pool, clock } = this.#deps;
    const claimMs = provider.timeoutMs + claimExtraMs;
    for (let waitedMs = 0; waitedMs <= 2 * claimMs; waitedMs += pollMs) {
      const now = clock.now();
      if (await claimQuestion(pool, key, new Date(now), new Date(now + claimMs)))
        return { result: await this.#askAndKeep(provider, key, ask), cached: false };
      const known = await readAnswer(pool, key, new Date(now));
      if (known !== null) return { result: known as LookupResult, cached: true };
      await clock.sleep(pollMs, stopping);
      stopping.throwIfAborted();
    }
    return { result: { kind: 'retry', why: 'another instance is already asking' }, cached: true };
  }

  async #askAndKeep(
    provider: LookupProvider,
    key: CacheKey,
    ask: () => Promise<LookupResult>,
  ): Promise<LookupResult> {
    const { pool, clock } = this.#deps;
    try {
      const result = await ask();
      const now = clock.now();
      await storeAnswer(pool, key, result, new Date(now), new Date(now + keptMs(provider, result)));
      return result;
    } catch (error) {
      await releaseQuestion(pool, key).catch(() => {});
      throw error;
    }
  }
}

function keptMs({ cacheMs }: LookupProvider, result: LookupResult): number {
  switch (result.kind) {
    case 'found':
    case 'none':
    case 'fail':
      return cacheMs[result.kind];
    case 'retry':
      return result.afterMs ?? retryKeptMs;
    case 'skip':
      return 0;
  }
}
