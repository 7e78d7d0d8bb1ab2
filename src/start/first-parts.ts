import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { channelsOf } from '../channels/channels.ts';
import { postgresDeliver } from '../db/deliver/postgres-deliver.ts';
import { postgresHeldDecisions } from '../db/held/held-decision-database.ts';
import { readPrints } from '../db/live/workspace-prints.ts';
import { findLastNumber } from '../db/relay/event-feed.ts';
import { listWorkspaces } from '../db/workspaces/workspaces.ts';
import { Enrichment } from '../enrich/enrichment.ts';
import { LeadIndex } from '../enrich/lead-index/lead-index.ts';
import { Housekeeping } from '../ingest/housekeeping.ts';
import { SpoolNotes } from '../ingest/spool-notes.ts';
import { Mail } from '../mail/mail.ts';
import { Accounts } from '../manage/accounts/accounts.ts';
import type { PasswordCost } from '../manage/accounts/passwords/password-hash.ts';
import { SecurityEvents } from '../manage/audit/events/security-events.ts';
import { lacksProxyCount } from '../manage/calls/uncounted-proxy.ts';
import type { Scoring } from '../manage/deps.ts';
import { EventWaiters } from '../manage/destinations/feed/event-waiters.ts';
import { HeldDecisions } from '../manage/held/decision-loop.ts';
import { LeadActions } from '../manage/leads/actions/action-loop.ts';
import { Learning } from '../manage/learning/learning-loop.ts';
import { learningThread } from '../manage/learning/learning-thread.ts';
import { leadActions } from '../manage/live/changes.ts';
import { Live } from '../manage/live/live.ts';
import { createSetupLink } from '../manage/people/setup.ts';
import { scoringThread } from '../manage/quarantine/scoring-thread.ts';
import { createStarter, type Starter } from '../manage/workspaces/starter.ts';
import { type Egress, systemEgress } from '../net/egress.ts';
import { Nodes } from '../relay/nodes.ts';
import { Relay } from '../relay/relay.ts';
import { systemRandomness } from '../time/randomness.ts';
import { startAlarms } from './alarms.ts';
import type { CommonParts, CommonPartsDeps } from './common-parts.ts';
import { createControlPlane, type FurtherPages, type ReaderLimits, readerLimits } from './control-plane.ts';
import { startDeliveries } from './deliveries.ts';
import { createDeliveryHttp } from './delivery-network.ts';
import { aloneOnHost } from './host.ts';
import { ownHost, watchHealth } from './instance-health.ts';
import { FirstStart } from './process/first-start.ts';
import { hasRole } from './roles.ts';
import type { Stops } from './stops.ts';
import { askHost } from './supervisor/worker-metrics.ts';

export interface FirstPartsDeps extends CommonPartsDeps {
  /** Resolves to the folder of the built settings area; null when this process does not serve it. */
  readonly webApp: Promise<string | null>;
  /** The same for the documentation. */
  readonly docsSite: Promise<string | null>;
  /** The same for the SDK for web pages. */
  readonly sdk: Promise<string | null>;
  /** Pages that only the demo has. */
  readonly furtherPages?: FurtherPages | undefined;
  /** Replaced in tests, which must not use the network. Only an argument can replace it. */
  readonly egress?: Egress;
  /** Shorter in tests. */
  readonly readerLimits?: Partial<ReaderLimits>;
  /** Lower in tests: the real cost is high on purpose. */
  readonly passwordCost?: PasswordCost;
}

export interface Urls {
  readonly url: () => string;
  readonly ingestUrl: () => string;
  readonly listenerPort: () => number;
}

/** What the first process of a host has, and no other. */
export interface FirstParts {
  /** Serves everything but leads. */
  readonly rest: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends the streams of changes and the calls that wait for events, which would otherwise stay open. */
  readonly endStreams: () => Promise<void>;
  /** True in an empty database. */
  readonly wantsStarter: () => Promise<boolean>;
  /** Creates a first workspace, form and token in an empty database; null when it is not empty. */
  readonly createStarter: () => Promise<Starter | null>;
  /** A link that creates the first account; null when there is one. */
  readonly createSetupLink: () => Promise<string | null>;
}

/** Starts enrichment, deliveries, housekeeping and the control plane, as far as the role of the process asks for them. */
export function startFirstParts(
  deps: FirstPartsDeps,
  parts: CommonParts,
  urls: Urls,
  stops: Stops,
): FirstParts {
  const { config, clock, log, host = aloneOnHost } = deps;
  const { pool, secretBox, sync, metrics, plane } = parts;
  const nodes = new Nodes(pool, clock);
  startRelay(deps, parts, nodes, stops);
  startEnrichment(deps, parts, nodes, stops);
  if (hasRole(config, 'ingest')) {
    const housekeeping = new Housekeeping({ pool, clock, randomness: systemRandomness, log });
    stops.add(() => housekeeping.stop());
    housekeeping.start();
  }
  const { encryptionKey, previousEncryptionKeys } = config;
  const accounts = new Accounts({
    pool,
    clock,
    log,
    publicUrl: urls.url,
    encryptionKey,
    previousEncryptionKeys,
    passwordCost: deps.passwordCost,
  });
  const view = host.link === null ? ownHost(metrics, plane) : askHost(host.link, clock);
  if (hasRole(config, 'ingest')) {
    const instance = () => `${hostname()}:${urls.listenerPort()}`;
    const notes = new SpoolNotes({ pool, clock, log, instance, figures: () => view.figures() });
    stops.add(() => notes.stop());
    void parts.database.ready.then(() => notes.start());
  }
  const health = watchHealth({ config, pool, clock, view, plane });
  stops.add(() => health.stop());
  const events = new SecurityEvents({ pool, clock, log });
  stops.add(() => events.stop());
  const live = new Live({
    clock,
    log,
    readPrints: (workspaceId) => readPrints(pool, workspaceId, { now: clock.now(), leadActions }),
    readSessions: (ids) => accounts.readSessionsAgain(ids),
  });
  metrics.watchStreams(() => live.streams);
  const eventWaiters = new EventWaiters({
    clock,
    log,
    readNewest: (workspaceId) => findLastNumber(pool, workspaceId),
  });
  const deliveryHttp = createDeliveryHttp({ ...deps, listenerPort: urls.listenerPort });
  stops.add(async () => deliveryHttp.stop());
  const mail = new Mail(config.smtp, log);
  stops.add(async () => mail.stop());
  const channels = channelsOf({
    sender: deliveryHttp,
    database: postgresDeliver(pool, clock),
    mail,
    clock,
    log,
    hubspotUrl: config.hubspotUrl,
  });
  startDeliveries({ ...deps, channels, publicUrl: urls.url }, parts, stops);
  startAlarms({ ...deps, nodes, mail, publicUrl: urls.url }, parts, stops);
  const directoryChanged = async () => {
    await Promise.all([sync.refresh(), host.directoryChanged()]);
  };
  const firstStart = new FirstStart({ config, pool, clock, log, secretBox, directoryChanged });
  if (hasRole(config, 'manage')) {
    if (lacksProxyCount(config))
      log.warn(
        'TRUST_PROXY is 0, but PUBLIC_URL is https, which needs a proxy: all people share one limit for sign-in attempts. Set TRUST_PROXY to the number of proxies that append to X-Forwarded-For, usually 1, and restart',
      );
    stops.add(() => firstStart.stop());
    void parts.database.ready.then(() => firstStart.start());
  }
  const scoring = scoringThread();
  const learning = startLearning(deps, parts, directoryChanged, stops);
  const rest = createControlPlane({
    ...deps,
    ...parts,
    ...urls,
    scoring,
    heldDecisions: startHeldDecisions(deps, parts, scoring, stops),
    learning,
    leadActions: startLeadActions(deps, parts, learning, stops),
    accounts,
    events,
    live,
    eventWaiters,
    deliveryHttp,
    channels,
    mail,
    health,
    directoryChanged,
    endFirstStart: () => firstStart.end(),
    isManaging: hasRole(config, 'manage'),
    readerLimits: { ...readerLimits, ...deps.readerLimits },
  });
  return {
    rest,
    async endStreams() {
      await Promise.all([live.stop(), eventWaiters.stop()]);
    },
    wantsStarter: async () =>
      (await listWorkspaces(pool, { personId: null }, { after: null, limit: 1 })).length === 0,
    createStarter: () => createStarter({ pool, clock, log, secretBox, directoryChanged }),
    createSetupLink: () => createSetupLink({ pool, clock, publicUrl: urls.url }),
  };
}

function startHeldDecisions(
  { config, clock, log }: FirstPartsDeps,
  { pool, secretBox, ids, plane, database }: CommonParts,
  scoring: Scoring,
  stops: Stops,
): HeldDecisions {
  const decisions = new HeldDecisions({
    database: postgresHeldDecisions(pool),
    clock,
    log,
    secretBox,
    submissionIds: ids,
    scoring,
    isBusy: plane.isBusy,
  });
  if (hasRole(config, 'manage')) {
    stops.add(() => decisions.stop());
    void database.ready.then(() => decisions.start());
  }
  return decisions;
}

function startLearning(
  { config, clock, log }: FirstPartsDeps,
  { pool, plane, database }: CommonParts,
  directoryChanged: () => Promise<void>,
  stops: Stops,
): Learning {
  const { isBusy } = plane;
  const learning = new Learning({ pool, clock, log, thread: learningThread(), isBusy, directoryChanged });
  if (hasRole(config, 'manage')) {
    stops.add(() => learning.stop());
    void database.ready.then(() => learning.start());
  }
  return learning;
}

function startLeadActions(
  { config, clock, log }: FirstPartsDeps,
  { pool, secretBox, bodyHashes, plane, database }: CommonParts,
  learning: Learning,
  stops: Stops,
): LeadActions {
  const { isBusy } = plane;
  const actions = new LeadActions({ pool, clock, log, secretBox, bodyHashes, learning, isBusy });
  if (hasRole(config, 'manage')) {
    stops.add(() => actions.stop());
    void database.ready.then(() => actions.start());
  }
  return actions;
}

/** Enrichment and deliveries both start with notes. */
function startRelay(deps: FirstPartsDeps, parts: CommonParts, nodes: Nodes, stops: Stops): void {
  const { config, clock, log } = deps;
  if (!hasRole(config, 'enrich') && !hasRole(config, 'deliver')) return;
  const { pool, plane, database } = parts;
  const relay = new Relay({ pool, clock, log, nodes, randomness: systemRandomness, isBusy: plane.isBusy });
  stops.add(() => relay.stop());
  void database.ready.then(() => relay.start());
}

function startEnrichment(deps: FirstPartsDeps, parts: CommonParts, nodes: Nodes, stops: Stops): void {
  const { config, clock, log } = deps;
  if (!hasRole(config, 'enrich')) return;
  const { pool, secretBox, metrics, plane, database } = parts;
  const enrichment = new Enrichment({
    pool,
    nodes,
    clock,
    log,
    secretBox,
    isBusy: plane.isBusy,
    network: config.enrichNetwork,
    egress: deps.egress ?? systemEgress,
    headerPrefix: config.headerPrefix,
    onLookup: metrics.onLookup.bind(metrics),
  });
  stops.add(() => enrichment.stop());
  void database.ready.then(() => enrichment.start());
  const index = new LeadIndex({
    pool,
    clock,
    log,
    isBusy: plane.isBusy,
    onBlock: (leads) => metrics.leadsIndexed(leads),
  });
  stops.add(() => index.stop());
  void database.ready.then(() => index.start());
}
