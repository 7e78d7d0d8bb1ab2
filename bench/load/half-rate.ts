import { runStream } from '../../chaos/hostile/stream.ts';
import { requestParts } from './lead.ts';
import type { Figures } from './load.ts';

const warmUpSeconds = 1;
const measuredSeconds = 5;

/** How many requests it sends for a given peak. */
export function halfRateRequests(peak: number): number {
  return Math.floor((peak / 2) * warmUpSeconds) + Math.floor((peak / 2) * measuredSeconds);
}

/**
 * Sends half as many requests per second as the service has just answered at most. Each is timed from the moment it was
 * due, so that a delay counts for all that follow.
 */
export async function runAtHalfRate(
  { port, tokens }: { readonly port: number; readonly tokens: readonly string[] },
  connections: number,
  peak: number,
): Promise<Figures> {
  const requests = tokens.map((token, number) => requestParts(port, token, number).plain);
  const rate = peak / 2;
  const figures = await runStream({
    port,
    requests,
    connections,
    rate,
    warmUpSeconds,
    seconds: measuredSeconds,
  });
  const { sent, statuses, p50Ms, p99Ms } = figures;
  const failures = sent - (statuses['202'] ?? 0);
  return { requests: halfRateRequests(peak), rate, p50Ms, p99Ms, failures };
}
