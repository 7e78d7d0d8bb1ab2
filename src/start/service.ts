import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostInUrl } from '../config.ts';
import type { Surface } from '../domain/surface.ts';
import { Forwarder, listenForForwarded } from '../http/forward.ts';
import { listen } from '../http/listener.ts';
import { transportSecurity } from '../http/transport-security.ts';
import { ServiceTimes } from '../ingest/service-times.ts';
import { listenForMetrics } from '../telemetry/operations.ts';
import { answerProbe } from '../telemetry/probes.ts';
import { type CommonParts, createCommonParts } from './common-parts.ts';
import type { FirstParts, FirstPartsDeps, Urls } from './first-parts.ts';
import { aloneOnHost, type Host } from './host.ts';
import { notReady } from './readiness.ts';
import { hasRole } from './roles.ts';
import { Stops } from './stops.ts';
import { reportToHost } from './supervisor/worker-metrics.ts';

export interface ServiceDeps extends FirstPartsDeps {
  readonly host?: Host;
}

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly isDatabaseReady: boolean;
  /** Resolves when the database is ready. */
  readonly databaseReady: Promise<void>;
  /** Null in a process that leaves everything but leads to the first one of its host. */
  readonly first: FirstParts | null;
  /** Accepts no more requests, answers those in progress, flushes, and disconnects from the database. */
  stop(lingerMs?: number): Promise<void>;
}

/** Serves everything but leads. */
type Rest = Pick<FirstParts, 'rest' | 'endStreams'>;

/** The composition root: every long-lived object is built from here, once, and stopped here, in reverse order. */
export async function startService(deps: ServiceDeps): Promise<Service> {
  const { config, clock, log, host = aloneOnHost } = deps;
  const stops = new Stops(log);
  let lingerMs = 0;
  try {
    const parts = createCommonParts(deps, stops);
    const { database, plane, directory } = parts;
    await database.startWithOrWithout(plane.circuits, directory);
    plane.circuits.start();
    const isTakingLeads = hasRole(config, 'ingest');
    if (host.link !== null) {
      // After the directory is loaded, and until the data plane has stopped.
      const reporting = reportToHost(host.link, clock, parts);
      stops.add(() => reporting.stop());
    }
    if (isTakingLeads) await startDataPlane(deps, parts, stops);
    const urls = {
      url: () => url,
      // A process that accepts no leads itself refers to the public URL.
      ingestUrl: () => (isTakingLeads ? ownUrl : url),
      listenerPort: () => listener.port,
    };
    const first = host.isFirst ? await startFirst(deps, parts, urls, stops) : null;
    const { rest, endStreams } = first ?? forwarding(deps, parts);
    if (host.ownSocketPath !== null) {
      const forwarded = await listenForForwarded(host.ownSocketPath, rest, clock);
      stops.add(() => forwarded.stop());
    }
    const { port, isReused } = host.sharedPort ?? { port: config.port, isReused: false };
    const listener = await listen(
      { host: config.host, port, isReused },
      {
        ingest: isTakingLeads ? plane.ingest : null,
        mint: isTakingLeads ? parts.minting.mint : null,
        rest,
        clock,
        onMalformed: (surface, requestId) => onMalformed(parts, surface, requestId),
      },
    );
    // The listener waits for open responses, so streams end before it.
    stops.add(() => listener.stop(lingerMs), endStreams);
    const ownUrl = `http://${hostInUrl(config.host)}:${listener.port}`;
    const url = config.publicUrl ?? ownUrl;
    // Of several processes, their supervisor shows the metrics.
    if (config.metricsPort !== null && host.workerCount === 1) {
      const metricsListener = await listenForMetrics(config.host, config.metricsPort, parts.metrics);
      stops.add(() => metricsListener.stop());
    }
    return {
      url,
      port: listener.port,
      isDatabaseReady: database.isPrepared,
      databaseReady: database.ready,
      first,
      stop(ms = 0) {
        lingerMs = ms;
        return stops.run();
      },
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

async function startDataPlane({ clock, log }: ServiceDeps, parts: CommonParts, stops: Stops): Promise<void> {
  const { pool, database, held, diagnostics, minting, plane } = parts;
  const serviceTimes = new ServiceTimes({ pool, databaseReady: database.ready, clock, log });
  stops.add(
    () => held.stop(),
    () => diagnostics.stop(),
    // After the data plane, which counts there too.
    () => minting.stop(),
    () => plane.stop(),
    () => serviceTimes.stop(),
  );
  await plane.start();
  minting.start();
  diagnostics.start();
  held.start();
  serviceTimes.start();
}

/** Loaded here, because the control plane takes memory that other processes of the host can do without. */
async function startFirst(
  deps: ServiceDeps,
  parts: CommonParts,
  urls: Urls,
  stops: Stops,
): Promise<FirstParts> {
  const { startFirstParts } = await import('./first-parts.ts');
  return startFirstParts(deps, parts, urls, stops);
}

/** What every process knows about itself it answers itself. */
function forwarding({ config, clock, host = aloneOnHost }: ServiceDeps, parts: CommonParts): Rest {
  const forwarder = new Forwarder({ socketPath: host.firstSocketPath, clock });
  const probes = {
    headers: transportSecurity(config.publicUrl ?? ''),
    notReady: () => notReady(config, parts),
  };
  return {
    rest(request: IncomingMessage, response: ServerResponse) {
      if (!answerProbe(request, response, probes)) forwarder.forward(request, response);
    },
    endStreams: () => forwarder.endStreams(),
  };
}

function onMalformed({ diagnostics, metrics }: CommonParts, surface: Surface, requestId: string): void {
  diagnostics.unreadable(surface, 'encoding_unsupported', requestId);
  metrics.onOutcome(surface, 'encoding_unsupported');
}
