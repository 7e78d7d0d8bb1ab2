import type { Logger } from 'pino';
import { fitText } from '../../domain/enrichment/value.ts';
import type { NameService } from '../../net/egress.ts';
import type { SafeHttp } from '../../net/safe-http.ts';
import type { Clock } from '../../time/clock.ts';
import { fitFields, type LookupProvider, type LookupResult } from '../providers/provider.ts';
import type { Input } from '../reading/input.ts';
import type { CircuitBreaker, HostLimits } from './hosts.ts';

export interface AskDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly names: NameService;
  readonly http: SafeHttp;
  readonly limits: HostLimits;
  readonly breaker: CircuitBreaker;
  /** Uses one of today's requests to the workspace's external provider; false if none is left. */
  readonly spend: (workspaceId: string) => Promise<boolean>;
}

const fieldsMax = 100;

/**
 * Asks one provider and returns a valid result whatever it does: hang, throw, or return fields that do not exist.
 * Rejects only if `stopping` says that nobody waits for the result any more.
 */
export async function askProvider(
  provider: LookupProvider,
  input: Input,
  scope: string,
  deps: AskDeps,
  stopping: AbortSignal,
): Promise<LookupResult> {
  const { breaker, limits, clock, spend } = deps;
  const host = `${provider.id} ${scope} ${provider.host(input)}`;
  return limits.run(host, provider.perHostMax, async () => {
    const waitMs = breaker.waitMs(host, clock.now());
    if (waitMs > 0) return { kind: 'retry', why: 'it failed too often and is paused', afterMs: waitMs };
    if (provider.phase === 'external' && !(await spend(scope))) return { kind: 'skip', why: 'budget' };
    const result = await untilTimeout(provider, input, deps, stopping);
    if (result.kind === 'retry') breaker.failed(host, clock.now(), result.afterMs);
    else breaker.succeeded(host);
    return result;
  });
}

async function untilTimeout(
  provider: LookupProvider,
  input: Input,
  { log, names, http, clock }: AskDeps,
  stopping: AbortSignal,
): Promise<LookupResult> {
  stopping.throwIfAborted();
  const timeout = new AbortController();
  const cancel = clock.deadline(provider.timeoutMs, () => timeout.abort(new Error('timed out')));
  const signal = AbortSignal.any([stopping, timeout.signal]);
  try {
    const now = new Date(clock.now());
    // A provider that ignores the signal is not waited for.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return wellFormed(await Promise.race([provider.ask(input, { signal, names, http, now }), aborted]));
  } catch (error) {
    stopping.throwIfAborted();
    if (timeout.signal.aborted) return { kind: 'retry', why: 'timed out' };
    log.error({ err: error, provider: provider.id }, 'enrichment provider threw an error');
    return { kind: 'fail', why: 'fault' };
  } finally {
    cancel();
  }
}

/** The part of a result that may be stored and shown. */
function wellFormed(result: LookupResult): LookupResult {
  if (result.kind === 'found') {
    const fields = fitFields(result.fields.slice(0, fieldsMax));
    return fields.length === 0 ? { kind: 'none' } : { kind: 'found', fields };
  }
  if (result.kind === 'retry' || result.kind === 'fail')
    return { ...result, why: fitText(result.why) ?? 'unknown' };
  return result;
}
