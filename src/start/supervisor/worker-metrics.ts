import type { HostLink } from '../../ingest/siblings/link.ts';
import type { HostFigures, HostView } from '../../telemetry/host/host-figures.ts';
import type { WorkerReport } from '../../telemetry/host/metric.ts';
import { metricsContentType } from '../../telemetry/host/metrics-text.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type Clock, secondMs } from '../../time/clock.ts';
import { within } from '../../time/within.ts';
import type { DataPlane } from '../data-plane.ts';

/** What workers and the supervisor talk about here. */
export const hostTopics = {
  /** Asked of a worker: its report. */
  report: 'metrics',
  /** Asked by a worker that stops, with its last report, so that it knows that the report has arrived. */
  lastReport: 'last metrics',
  /** Asked by a worker. */
  text: 'host metrics',
  figures: 'host figures',
} as const;

// The supervisor itself waits up to four seconds for a worker that hangs.
const replyMsMax = 6 * secondMs;
// A worker that stops has requests that wait for it to be replaced.
const farewellMsMax = secondMs;

interface ReportingParts {
  readonly metrics: Pick<Metrics, 'read'>;
  readonly plane: { readonly figures: Pick<DataPlane['figures'], 'isSpoolUsable'> };
}

/** A worker reports to the supervisor whenever it is asked. Call `stop` when nothing is counted any more. */
export function reportToHost(
  link: HostLink,
  clock: Clock,
  { metrics, plane }: ReportingParts,
): { stop(): Promise<void> } {
  const read = async (): Promise<WorkerReport> => ({
    metrics: await metrics.read(),
    isSpoolUsable: plane.figures.isSpoolUsable(),
  });
  link.onAsk(hostTopics.report, read);
  return {
    async stop() {
      // Without a supervisor there is nobody to report to.
      await within(clock, farewellMsMax, link.ask(hostTopics.lastReport, await read())).catch(() => {});
    },
  };
}

/** The host as the supervisor knows it. Rejects if the supervisor does not respond. */
export function askHost(link: HostLink, clock: Clock): HostView {
  const ask = (topic: string) => within(clock, replyMsMax, link.ask(topic, null));
  return {
    contentType: metricsContentType,
    text: async () => (await ask(hostTopics.text)) as string,
    figures: async () => (await ask(hostTopics.figures)) as HostFigures,
  };
}
