import type pg from 'pg';
import type { Logger } from 'pino';
import type { Channels } from '../channels/channels.ts';
import type { BrowserSigningKeys } from '../domain/browser/signing-keys.ts';
import type { HubspotProperty } from '../domain/destination/hubspot/contact-mapping.ts';
import type { NetworkMode } from '../domain/enrichment/vocabulary.ts';
import type { BodyHashes } from '../domain/lead/body-hash.ts';
import type { SubmissionIds } from '../domain/lead/submission-id.ts';
import type { KeyDoor } from '../domain/secrets/key-door.ts';
import type { SecretBox } from '../domain/secrets/secret-box.ts';
import type { Mail } from '../mail/mail.ts';
import type { DeliveryHttp } from '../net/delivery/delivery-http.ts';
import type { NoProperties } from '../net/hubspot/hubspot-client.ts';
import type { DiskUse } from '../telemetry/health/disk-watch.ts';
import type { HealthHistory } from '../telemetry/health/health-history.ts';
import type { HostFigures } from '../telemetry/host/host-figures.ts';
import type { Clock } from '../time/clock.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { SecurityEvents } from './audit/events/security-events.ts';
import type { CallRate } from './calls/call-rate.ts';
import type { ExpensiveCalls } from './calls/expensive-calls.ts';
import type { UncountedProxy } from './calls/uncounted-proxy.ts';
import type { DryRunAnswer, DryRunQuestion } from './destinations/dry-run/dry-run-worker.ts';
import type { EventWaiters } from './destinations/feed/event-waiters.ts';
import type { Live } from './live/live.ts';
import type { Scored, ScoringQuestion } from './quarantine/scoring-worker.ts';
import type { Rescored, RescoringQuestion } from './scoring/rescoring-worker.ts';

export interface ManagementDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly bodyHashes: BodyHashes;
  /** Sign browser tokens. */
  readonly browserKeys: Pick<BrowserSigningKeys, 'current'>;
  /** Which lead a held submission becomes. */
  readonly submissionIds: Pick<SubmissionIds, 'held' | 'keyed' | 'signed'>;
  /** Scores stored leads again, in a separate thread. */
  readonly rescoring: Rescoring;
  /** Scores quarantined and held leads, also in a thread. */
  readonly scoring: Scoring;
  /** Works on selections of held submissions. */
  readonly heldDecisions: { wake(): void };
  /** Marks and erases many leads. */
  readonly leadActions: { wake(): void };
  /** Learns from marks. */
  readonly learning: { wake(): void };
  /** Opened by the operator key. */
  readonly operatorDoor: KeyDoor;
  readonly events: Pick<SecurityEvents, 'note'>;
  readonly accounts: Accounts;
  readonly mail: Mail;
  /** How many proxies in front of the service are trusted to report the caller's IP address. */
  readonly proxyCount: number;
  readonly uncountedProxy: Pick<UncountedProxy, 'arrived' | 'proven' | 'isThere'>;
  readonly instance: () => InstanceFacts;
  /** What this process, or all workers of its host together, have counted and have waiting. */
  readonly figures: () => Promise<HostFigures>;
  /** The last hour of this instance, with all its workers. */
  readonly history: Pick<HealthHistory, 'points' | 'recent'>;
  readonly publicUrl: () => string;
  /** The URL where the service reaches its own ingest paths. */
  readonly ingestUrl: () => string;
  /** The prefix of the service's own headers, such as `X-SVC-`. */
  readonly headerPrefix: string;
  /** Resolves when this instance's ingest plane knows every committed change. */
  readonly directoryChanged: () => Promise<void>;
  /** Deletes the file of the first start if someone has an account, and ends what nobody has used of it. Never fails. */
  readonly endFirstStart: () => Promise<void>;
  /** The network access of enrichment. */
  readonly enrichNetwork: NetworkMode;
  /** The path of the script that shows the API reference; null when it is not built. */
  readonly referenceScript: Promise<string | null>;
  /** The SDK of web pages; null when it is not built. */
  readonly browserSdk: () => Promise<BrowserSdkFile | null>;
  /** False if the operator has turned off that rejected requests are kept. */
  readonly keepsRejected: boolean;
  readonly signatureDebugRate: CallRate;
  readonly apiKeyRate: CallRate;
  readonly expensiveCalls: ExpensiveCalls;
  /** Says which URLs leads may be sent to. */
  readonly deliveryHttp: Pick<DeliveryHttp, 'refusal'>;
  /** Asks HubSpot which properties contacts have, with the access token of an owner. */
  readonly hubspotProperties: HubspotProperties;
  /** Send tests to destinations. */
  readonly channels: Channels;
  readonly destinationTestRate: CallRate;
  /** Tries filters and mappings on stored leads, in a separate thread. */
  readonly destinationDryRuns: DestinationDryRuns;
  /** Calls that wait for the next event. */
  readonly eventWaiters: Pick<EventWaiters, 'wait'>;
  /** Tells open streams what changed. */
  readonly live: Pick<Live, 'open'>;
  readonly log: Logger;
}

type HubspotProperties = (
  token: string,
  signal: AbortSignal,
) => Promise<readonly HubspotProperty[] | NoProperties>;

/** The SDK under a name that changes with its content. */
interface BrowserSdkFile {
  readonly hashedPath: string;
  /** For the attribute of the script tag. */
  readonly integrity: string;
}

/** One result per lead, in order. */
export interface Rescoring {
  ask(question: RescoringQuestion): Promise<readonly Rescored[]>;
}

export interface DestinationDryRuns {
  ask(question: DryRunQuestion): Promise<DryRunAnswer>;
}

/** One result per lead, in order. */
export interface Scoring {
  ask(question: ScoringQuestion): Promise<readonly Scored[]>;
}

/** What this process knows about itself, without asking anyone. */
export interface InstanceFacts {
  /** How many processes this instance has. */
  readonly workerCount: number;
  readonly spoolBytesMax: number;
  /** False for a process whose role leaves leads to others. */
  readonly takesLeads: boolean;
  readonly role: string;
  readonly version: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** A jump of the machine's clock that the service does not follow yet. */
  readonly leapMs: number;
  /** Empty if unknown. */
  readonly disks: readonly DiskUse[];
}
