import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { StorableLead } from '../db/ingest/ingest-commit.ts';
import type { IngestDatabase } from '../db/ingest/ingest-database.ts';
import type { Disk } from '../disk/disk.ts';
import type { BrowserSigningKeys } from '../domain/browser/signing-keys.ts';
import { generationAt, type SubmissionIds } from '../domain/lead/submission-id.ts';
import { type RateLimits, rateLimits } from '../domain/rate-window.ts';
import { RepeatMemory } from '../domain/score/repeat-memory.ts';
import type { Scorer } from '../domain/score/scorer.ts';
import type { BrowserCounts } from '../ingest/browser/browser-counts.ts';
import { HostNoScriptLimits } from '../ingest/browser/submissions/no-script-limits.ts';
import { Circuits } from '../ingest/circuit/circuits.ts';
import { Committer } from '../ingest/commit/committer.ts';
import { Originals } from '../ingest/commit/duplicates/originals.ts';
import { GroupCommit } from '../ingest/commit/group-commit.ts';
import type { LaneMeter } from '../ingest/commit/lane/batch-commit.ts';
import { SignatureMemory } from '../ingest/commit/signature-memory.ts';
import type { Directory } from '../ingest/directory/directory.ts';
import { GoogleCalls } from '../ingest/google-calls.ts';
import { headerReader } from '../ingest/headers.ts';
import { HeavyLeads, type HeavyMeter } from '../ingest/heavy/heavy-leads.ts';
import { createIngest, type Ingest } from '../ingest/ingest.ts';
import type { Diagnostics } from '../ingest/outcomes/diagnostics.ts';
import type { HostLink } from '../ingest/siblings/link.ts';
import { shareNoScript, shareRepeats, shareSignatures } from '../ingest/siblings/shared-memories.ts';
import { Drain } from '../ingest/spool/drain/drain.ts';
import type { DrainMeter } from '../ingest/spool/drain/node-drain.ts';
import { Spool } from '../ingest/spool/spool.ts';
import type { DataPlaneSources, Metrics } from '../telemetry/metrics.ts';
import type { Clock } from '../time/clock.ts';
import type { Randomness } from '../time/randomness.ts';

export interface DataPlaneDeps {
  readonly config: Pick<
    Config,
    'spoolDir' | 'spoolBytesMax' | 'commitDeadlineMs' | 'headerPrefix' | 'proxyCount' | 'publicUrl'
  >;
  readonly database: IngestDatabase;
  readonly disk: Disk;
  readonly directory: Directory;
  readonly ids: SubmissionIds;
  readonly scorer: Scorer;
  readonly diagnostics: Diagnostics;
  readonly metrics: DataPlaneMetrics;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
  readonly browserKeys: BrowserSigningKeys;
  readonly browserCounts: BrowserCounts;
  /** Makes the database ready for the service. Does nothing the second time. */
  readonly prepareDatabase: () => Promise<void>;
  /** Replaces the service's own worker in tests. */
  readonly heavyWorker?: URL | undefined;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
  /** Lower limits for simulations. */
  readonly limits?: RateLimits;
  /** A lower one for simulations, which have few senders. */
  readonly aheadLeadsMin?: number;
  readonly laneCount: number;
  /** What is known of email domains; undefined if nothing is looked up. */
  readonly mailServerOf?: ((domain: string) => string | null) | undefined;
}

type DataPlaneMetrics = LaneMeter & DrainMeter & HeavyMeter & Pick<Metrics, 'watch' | 'onOutcome'>;

/** Where leads go: to PostgreSQL through lanes, or to the spool while it is unavailable. The circuits decide. */
export interface DataPlane {
  readonly ingest: Ingest;
  readonly circuits: Circuits;
  readonly isBusy: () => boolean;
  /** True while PostgreSQL or the spool can store a lead. */
  readonly canKeepLeads: () => boolean;
  readonly figures: DataPlaneSources & { readonly isSpoolUsable: () => boolean };
  start(): Promise<void>;
  /** Resolves when every request in progress has its response. */
  stop(): Promise<void>;
}

export function createDataPlane(deps: DataPlaneDeps): DataPlane {
  const { config, database, disk, directory, ids, diagnostics, metrics, clock, randomness, log } = deps;
  const deadlineMs = config.commitDeadlineMs;
  const nextId = (lead: UsedKey) => nextIdOf(lead, ids);
  const circuits = new Circuits({ database, clock, log, prepareDatabase: deps.prepareDatabase });
  const spool = new Spool({
    disk,
    limits: deps.limits ?? rateLimits,
    root: config.spoolDir,
    bytesMax: config.spoolBytesMax,
    clock,
    randomness,
    log,
    nextId,
    link: deps.link,
  });
  const groupCommit = new GroupCommit({
    database,
    laneCount: deps.laneCount,
    aheadLeadsMin: deps.aheadLeadsMin,
    isAlone: deps.link === undefined,
    clock,
    log,
    meter: metrics,
    deadlineMs,
    nextId,
    onUnreachable: (node, error) => circuits.trip(node, error),
    onClosed: (shard) => circuits.close(shard),
    giveUp: (submission) => spool.submit(submission),
  });
  const isBusy = () => groupCommit.isBusy;
  const repeats = new RepeatMemory();
  const signatures = new SignatureMemory();
  const noScriptLimits = new HostNoScriptLimits();
  if (deps.link !== undefined) {
    shareRepeats(repeats, { link: deps.link, clock });
    shareSignatures(signatures, { link: deps.link, clock });
    shareNoScript(noScriptLimits, { link: deps.link, clock });
  }
  const heavy = new HeavyLeads({ clock, repeats, log, meter: metrics, workerFile: deps.heavyWorker });
  const drain = new Drain({ spool, circuits, database, clock, log, meter: metrics, isBusy, nextId, heavy });
  const figures = {
    queueDepth: () => groupCommit.depth,
    heavyDepth: () => heavy.depth,
    spoolLeads: () => spool.stock.leads,
    spoolBytes: () => spool.stock.bytes,
    isDatabaseAvailable: () => !circuits.isAnyOpen,
    nodes: () => circuits.nodes,
    isSpoolUsable: () => spool.isUsable,
  };
  metrics.watch(figures);
  const committer = new Committer({
    groupCommit,
    spool,
    circuits,
    ids,
    signatures,
    scorer: deps.scorer,
    repeats,
    mailServerOf: deps.mailServerOf,
    log,
  });
  const ingest = createIngest({
    directory,
    readHeaders: headerReader(config.headerPrefix),
    proxyCount: config.proxyCount,
    browserKeys: deps.browserKeys,
    browserCounts: deps.browserCounts,
    noScriptLimits,
    randomness,
    heavy,
    committer,
    originals: new Originals({ database, spool, circuits, clock, deadlineMs }),
    ids,
    publicUrl: config.publicUrl,
    googleCalls: new GoogleCalls(),
    diagnostics,
    clock,
    log,
    onOutcome: metrics.onOutcome.bind(metrics),
  });
  return {
    ingest,
    circuits,
    isBusy,
    canKeepLeads: () => !circuits.areAllOpen || spool.isUsable,
    figures,
    async start() {
      await spool.open();
      drain.start();
    },
    async stop() {
      await heavy.idle();
      await spool.idle();
      await groupCommit.stop();
      await circuits.stop();
      await drain.stop();
      await heavy.stop();
      await spool.close();
    },
  };
}

type UsedKey = Pick<StorableLead, 'workspaceId' | 'key' | 'receivedAt' | 'submissionId'>;

/** A new use of a key starts a new generation. If that id is taken too, any other will do. */
function nextIdOf({ workspaceId, key, receivedAt, submissionId }: UsedKey, ids: SubmissionIds): string {
  if (key === null) return ids.unkeyed();
  const next = ids.keyed(workspaceId, key.hash, generationAt(receivedAt));
  return next === submissionId ? ids.unkeyed() : next;
}
