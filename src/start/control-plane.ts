import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Channels } from '../channels/channels.ts';
import type { Config } from '../config.ts';
import type { BrowserSigningKeys } from '../domain/browser/signing-keys.ts';
import type { BodyHashes } from '../domain/lead/body-hash.ts';
import type { SubmissionIds } from '../domain/lead/submission-id.ts';
import { KeyDoor, KeyGuesses, type KeyVisitor } from '../domain/secrets/key-door.ts';
import type { SecretBox } from '../domain/secrets/secret-box.ts';
import { addressOf, networkOf } from '../http/client-address.ts';
import { pathOf } from '../http/paths.ts';
import { createDocsSite, referenceScriptIn } from '../http/site/docs-site.ts';
import { createSdkFiles } from '../http/site/sdk-files.ts';
import { loadBuild } from '../http/site/static-files.ts';
import { createWebApp } from '../http/site/web-app.ts';
import { transportSecurity } from '../http/transport-security.ts';
import { serveWeb, type WebLimits } from '../http/web.ts';
import type { Directory } from '../ingest/directory/directory.ts';
import type { Mail } from '../mail/mail.ts';
import type { Accounts } from '../manage/accounts/accounts.ts';
import { apiKeyCallsPerMinute } from '../manage/api-keys/authentication.ts';
import type { SecurityEvents } from '../manage/audit/events/security-events.ts';
import { CallRate } from '../manage/calls/call-rate.ts';
import { ExpensiveCalls, type PlaceLimits, placeLimits } from '../manage/calls/expensive-calls.ts';
import { managementBodyBytesMax } from '../manage/calls/request-input.ts';
import { UncountedProxy } from '../manage/calls/uncounted-proxy.ts';
import type { InstanceFacts, Scoring } from '../manage/deps.ts';
import { destinationTestsPerMinute } from '../manage/destinations/destination-checks.ts';
import { dryRunThread } from '../manage/destinations/dry-run/dry-run-thread.ts';
import type { EventWaiters } from '../manage/destinations/feed/event-waiters.ts';
import type { HeldDecisions } from '../manage/held/decision-loop.ts';
import type { LeadActions } from '../manage/leads/actions/action-loop.ts';
import type { Learning } from '../manage/learning/learning-loop.ts';
import type { Live } from '../manage/live/live.ts';
import { createManagement } from '../manage/management.ts';
import { rescoringThread } from '../manage/scoring/rescoring-thread.ts';
import type { DeliveryHttp } from '../net/delivery/delivery-http.ts';
import { readProperties } from '../net/hubspot/hubspot-client.ts';
import { createOperations } from '../telemetry/operations.ts';
import { type Clock, minuteMs } from '../time/clock.ts';
import type { DataPlane } from './data-plane.ts';
import type { InstanceHealth } from './instance-health.ts';
import { notReady } from './readiness.ts';
import { hasRole } from './roles.ts';

const signatureDebugsPerMinute = 30;

export interface ControlPlaneDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly secretBox: SecretBox;
  readonly browserKeys: BrowserSigningKeys;
  readonly bodyHashes: BodyHashes;
  readonly ids: SubmissionIds;
  readonly scoring: Scoring;
  readonly heldDecisions: HeldDecisions;
  readonly leadActions: LeadActions;
  readonly learning: Learning;
  readonly accounts: Accounts;
  readonly events: SecurityEvents;
  readonly live: Live;
  readonly eventWaiters: EventWaiters;
  readonly deliveryHttp: DeliveryHttp;
  readonly channels: Channels;
  readonly mail: Mail;
  readonly health: InstanceHealth;
  readonly directoryChanged: () => Promise<void>;
  readonly endFirstStart: () => Promise<void>;
  readonly plane: DataPlane;
  readonly directory: Directory;
  readonly url: () => string;
  readonly ingestUrl: () => string;
  readonly webApp: Promise<string | null>;
  readonly docsSite: Promise<string | null>;
  readonly sdk: Promise<string | null>;
  /** Pages that only the demo has. */
  readonly furtherPages?: FurtherPages | undefined;
  readonly isManaging: boolean;
  readonly readerLimits: ReaderLimits;
}

/** True if it has responded. */
export type FurtherPages = (request: IncomingMessage, response: ServerResponse) => boolean;

/** How much of the service one reader may occupy. */
export type ReaderLimits = PlaceLimits & Pick<WebLimits, 'stallMsMax'>;

export const readerLimits: ReaderLimits = { ...placeLimits, stallMsMax: minuteMs };

/** Serves everything but leads: health, metrics, the management API, the documentation, the SDK and the settings area. */
export function createControlPlane(deps: ControlPlaneDeps) {
  const {
    config,
    pool,
    clock,
    log,
    secretBox,
    browserKeys,
    bodyHashes,
    ids,
    scoring,
    heldDecisions,
    leadActions,
    learning,
    accounts,
    events,
    live,
    eventWaiters,
    deliveryHttp,
    channels,
    mail,
    url,
    ingestUrl,
    webApp,
    docsSite,
    isManaging,
  } = deps;
  const headers = transportSecurity(config.publicUrl ?? '');
  const guesses = new KeyGuesses();
  const doorFor = (...keys: readonly string[]) =>
    new KeyDoor(keys, guesses, (address) => events.note({ kind: 'operatorKeyWrong', address }));
  const metricsKeys = [config.operatorKey, ...(config.metricsToken === null ? [] : [config.metricsToken])];
  const operations = createOperations({
    metrics: deps.health.view,
    headers,
    clock,
    metricsDoor: doorFor(...metricsKeys),
    visitor: (request) => visitorOf(request, config.proxyCount),
    notReady: () => notReady(config, deps),
  });
  const docs = loadBuild(docsSite);
  const sdk = createSdkFiles(loadBuild(deps.sdk), headers);
  const management = createManagement({
    pool,
    clock,
    secretBox,
    bodyHashes,
    browserKeys,
    browserSdk: sdk.script,
    rescoring: rescoringThread(),
    scoring,
    submissionIds: ids,
    heldDecisions,
    leadActions,
    learning,
    operatorDoor: doorFor(config.operatorKey),
    events,
    accounts,
    mail,
    proxyCount: config.proxyCount,
    uncountedProxy: new UncountedProxy({ clock, log, proxyCount: config.proxyCount }),
    instance: () => instanceFacts(deps),
    figures: () => deps.health.view.figures(),
    history: deps.health.history,
    publicUrl: url,
    ingestUrl,
    headerPrefix: config.headerPrefix,
    enrichNetwork: config.enrichNetwork,
    referenceScript: docs.then(referenceScriptIn),
    directoryChanged: deps.directoryChanged,
    endFirstStart: deps.endFirstStart,
    keepsRejected: config.isHeldOn,
    signatureDebugRate: new CallRate(signatureDebugsPerMinute),
    apiKeyRate: new CallRate(apiKeyCallsPerMinute),
    expensiveCalls: new ExpensiveCalls(clock, deps.readerLimits),
    deliveryHttp,
    hubspotProperties: (token, signal) =>
      readProperties(deliveryHttp, { url: config.hubspotUrl, token }, signal),
    channels,
    destinationTestRate: new CallRate(destinationTestsPerMinute),
    destinationDryRuns: dryRunThread(),
    eventWaiters,
    live,
    log,
  });
  const serveManagement = serveWeb((request, connection) => management.fetch(request, connection), {
    bodyBytesMax: managementBodyBytesMax,
    stallMsMax: deps.readerLimits.stallMsMax,
    clock,
    onFailure: (err, request_id) => log.error({ err, request_id }, 'management request failed'),
  });
  const serveWebApp = createWebApp({
    folder: webApp,
    publicUrl: url,
    headerPrefix: config.headerPrefix,
    headers,
  });
  const serveDocs = createDocsSite(docs, headers);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (operations(request, response) || deps.furtherPages?.(request, response) === true) return;
    const path = pathOf(request.url ?? '');
    if (/^\/sdk(?:\/|$)/.test(path)) void sdk.serve(request, response);
    else if (!isManaging) response.writeHead(404, headers).end();
    else if (/^\/api(?:\/|$)/i.test(path) || path.startsWith('/unsubscribe/'))
      serveManagement(request, response);
    else if (/^\/docs(?:\/|$)/i.test(path)) void serveDocs(request, response);
    else void serveWebApp(request, response);
  };
}

function visitorOf(request: IncomingMessage, proxyCount: number): KeyVisitor {
  const address = addressOf(request, proxyCount);
  return { address, network: networkOf(address) };
}

function instanceFacts({ config, clock, health }: ControlPlaneDeps): InstanceFacts {
  return {
    workerCount: config.workers,
    spoolBytesMax: config.spoolBytesMax,
    takesLeads: hasRole(config, 'ingest'),
    role: config.role,
    version: health.version,
    startedAt: health.startedAt,
    leapMs: clock.leapMs ?? 0,
    disks: health.disks.disks,
  };
}
