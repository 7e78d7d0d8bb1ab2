import { hostInUrl } from '../config.ts';
import { listen } from '../http/listener.ts';
import { listenForMetrics } from '../telemetry/operations.ts';
import { createCommonParts } from './common-parts.ts';
import type { FirstParts, FirstPartsDeps } from './first-parts.ts';
import { startFirstParts } from './first-parts.ts';
import { hasRole } from './roles.ts';
import { Stops } from './stops.ts';

export type ServiceDeps = FirstPartsDeps;

export interface Service extends Pick<FirstParts, 'wantsStarter' | 'createStarter' | 'createSetupLink'> {
  readonly url: string;
  readonly isDatabaseReady: boolean;
  /** Resolves when the database is ready. */
  readonly databaseReady: Promise<void>;
  /** Accepts no more requests, answers those in progress, flushes, and disconnects from the database. */
  stop(): Promise<void>;
}

/** The composition root: every long-lived object is built from here, once, and stopped here, in reverse order. */
export async function startService(deps: ServiceDeps): Promise<Service> {
  const { config, clock, log } = deps;
  const stops = new Stops(log);
  try {
    const parts = createCommonParts(deps, stops);
    const { metrics, diagnostics, database, plane, directory } = parts;
    await database.startWithOrWithout(plane.circuit, directory);
    const isTakingLeads = hasRole(config, 'ingest');
    if (isTakingLeads) {
      stops.add(
        () => diagnostics.stop(),
        () => plane.stop(),
      );
      await plane.start();
      diagnostics.start();
    }
    const urls = {
      url: () => url,
      // A process that accepts no leads itself refers to the public URL.
      ingestUrl: () => (isTakingLeads ? ownUrl : url),
    };
    const first = startFirstParts(deps, parts, urls, stops);
    const listener = await listen(config.host, config.port, {
      ingest: isTakingLeads ? plane.ingest : null,
      rest: first.rest,
      clock,
      onMalformed: () => {
        diagnostics.unreadable('encoding_unsupported');
        metrics.onOutcome('server', 'encoding_unsupported');
      },
    });
    // The listener waits for open responses, so streams end before it.
    stops.add(
      () => listener.stop(),
      () => first.endStreams(),
    );
    const ownUrl = `http://${hostInUrl(config.host)}:${listener.port}`;
    const url = config.publicUrl ?? ownUrl;
    if (config.metricsPort !== null) {
      const metricsListener = await listenForMetrics(config.host, config.metricsPort, metrics);
      stops.add(() => metricsListener.stop());
    }
    return {
      ...first,
      url,
      isDatabaseReady: database.isPrepared,
      databaseReady: database.ready,
      stop: () => stops.run(),
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
}
