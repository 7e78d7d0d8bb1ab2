import { pino } from 'pino';
import { DirectorySnapshot } from '../../src/db/directory/directory-snapshot.ts';
import { BrowserSigningKeys } from '../../src/domain/browser/signing-keys.ts';
import { heldBytesMaxDefault } from '../../src/domain/held/held-bounds.ts';
import { BodyHashes } from '../../src/domain/lead/body-hash.ts';
import { SubmissionIds } from '../../src/domain/lead/submission-id.ts';
import type { RateLimits } from '../../src/domain/rate-window.ts';
import type { IngestOutcome } from '../../src/domain/rejection.ts';
import { loadScoringData } from '../../src/domain/score/data.ts';
import { createScorer } from '../../src/domain/score/scorer.ts';
import { deriveIdRoot } from '../../src/domain/secrets/id-root.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { destinationOf } from '../../src/http/paths.ts';
import type { IngestDestination } from '../../src/ingest/arrive.ts';
import { Directory } from '../../src/ingest/directory/directory.ts';
import { DirectorySync } from '../../src/ingest/directory/directory-sync.ts';
import { IdRootReader } from '../../src/ingest/directory/id-root-reader.ts';
import { HeldRequests } from '../../src/ingest/held/held-requests.ts';
import { Diagnostics } from '../../src/ingest/outcomes/diagnostics.ts';
import { createDataPlane, type DataPlane } from '../../src/start/data-plane.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { databaseOf } from '../database/client.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import type { HostDisk } from '../disk/host-disk.ts';
import { ProcessDisk } from '../disk/process-disk.ts';
import { Decider } from '../held/decider.ts';
import type { Life } from '../life.ts';
import { exchange, type SeenAnswer, type SentRequest } from './http.ts';

export interface InstanceDeps {
  readonly life: Life;
  readonly host: HostDisk;
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
  readonly limits: RateLimits;
  readonly laneCount: number;
  readonly spoolBytesMax: number;
  /** Whether owners decide about rejected requests. */
  readonly isDeciding: boolean;
  readonly onOutcome: (surface: Surface, outcome: IngestOutcome) => void;
}

export const encryptionKey = 'encryption-key-of-the-simulation-0123456789';
export const secretBox = new SecretBox(encryptionKey);
const idRoot = deriveIdRoot(encryptionKey);
export const bodyHashes = new BodyHashes(idRoot);
const scorer = createScorer(loadScoringData());
const log = pino({ level: 'silent' });
const commitDeadlineMs = 400;
const aheadLeadsMin = 2;
const spoolDir = '/data/spool';
const nothing = () => {};

/** One process of the service: the real data plane on a simulated life, disk and database. */
export class Instance {
  readonly life: Life;
  /** Null if nobody decides about rejected requests. */
  readonly decider: Decider | null;
  readonly #directory: Directory;
  readonly #sync: DirectorySync;
  readonly #held: HeldRequests;
  readonly #diagnostics: Diagnostics;
  readonly #plane: DataPlane;
  readonly #locate: () => Promise<void>;
  #isPrepared = false;
  #isListening = false;

  constructor(deps: InstanceDeps) {
    const { life, host, server, cluster, limits, laneCount, spoolBytesMax, onOutcome } = deps;
    this.life = life;
    const disk = new ProcessDisk(host, life);
    const database = databaseOf(server, cluster, life, commitDeadlineMs);
    this.#locate = () => database.locate();
    const clock = life;
    const randomness = seededRandomness(life.random, life);
    this.#directory = new Directory(secretBox, nothing);
    const bodyHashes = new BodyHashes(idRoot);
    const ids = new SubmissionIds(idRoot, randomness);
    this.decider = deps.isDeciding
      ? new Decider({ server, cluster, life }, { submissionIds: ids, secretBox })
      : null;
    const reader = new IdRootReader({ followers: [ids, bodyHashes], secretBox, keys: [encryptionKey], log });
    const snapshot = new DirectorySnapshot(spoolDir, secretBox, { disk, writer: life.name });
    const directory = this.#directory;
    this.#sync = new DirectorySync({ directory, idRoot: reader, database, snapshot, clock, log });
    this.#held = new HeldRequests({
      database,
      directory,
      secretBox,
      bodyHashes,
      isOn: true,
      bytesMax: heldBytesMaxDefault,
      meter: silentHeldMeter,
      clock,
      randomness,
      log,
    });
    this.#diagnostics = new Diagnostics({ database, clock, randomness, log, held: this.#held, bodyHashes });
    this.#plane = createDataPlane({
      config: {
        spoolDir,
        spoolBytesMax,
        commitDeadlineMs,
        headerPrefix: 'X-SVC-',
        publicUrl: null,
        proxyCount: 0,
      },
      database,
      disk,
      directory,
      ids,
      scorer,
      diagnostics: this.#diagnostics,
      browserKeys: new BrowserSigningKeys(encryptionKey),
      browserCounts: { count() {} },
      metrics: { ...silentMeter, onOutcome },
      clock,
      randomness,
      log,
      limits,
      aheadLeadsMin,
      laneCount,
      prepareDatabase: () => this.#prepare(),
    });
  }

  /** Like src/start/service.ts and src/start/database-start.ts. */
  async start(): Promise<void> {
    try {
      await this.#prepare();
    } catch (error) {
      if (!this.#directory.isLoaded) await this.#sync.startFromSnapshot();
      this.#plane.circuits.tripAll(error);
    }
    this.#plane.circuits.start();
    await this.#plane.start();
    this.#diagnostics.start();
    this.#held.start();
    this.#isListening = true;
  }

  async stop(): Promise<void> {
    this.#isListening = false;
    await this.decider?.stop();
    await this.#plane.stop();
    await this.#diagnostics.stop();
    await this.#held.stop();
    await this.#plane.circuits.stop();
    await this.#sync.stop();
  }

  get spooledLeads(): number {
    return this.#plane.figures.spoolLeads();
  }

  get isWell(): boolean {
    return this.#isListening && this.#plane.figures.isDatabaseAvailable();
  }

  /** True when it has read from the database what it needs to start. */
  get isPrepared(): boolean {
    return this.#isPrepared;
  }

  /** The addresses of nodes that get no leads. */
  get nodesWithout(): string[] {
    return this.#plane.circuits.nodes.flatMap(({ address, isAvailable }) => (isAvailable ? [] : address));
  }

  /** What it has counted but not written. */
  async flush(): Promise<void> {
    await this.#diagnostics.flush();
    await this.#held.flush();
  }

  /** `onEnd` gets null when the connection closes without a response. */
  receive(path: string, sent: SentRequest, onEnd: (answer: SeenAnswer | null) => void): void {
    const { life } = this;
    if (life.isOver || !this.#isListening) {
      onEnd(null);
      return;
    }
    const { request, response, deliver } = exchange(sent, (answer) => {
      if (!life.isOver) onEnd(answer);
    });
    life.onEnd(() => onEnd(null));
    this.#plane.ingest.read(request, response, destinationOf(path) as IngestDestination);
    let at = 0;
    for (let packet = 0; packet < sent.packets; packet++) {
      life.deadline(at, () => deliver(packet));
      at += life.random.between(0, 20);
    }
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await this.#locate();
    await this.#sync.start();
    this.#isPrepared = true;
    this.decider?.start();
  }
}

const silentHeldMeter = { onHeld: nothing, onNotHeld: nothing };
const silentMeter = {
  watch: nothing,
  onCommit: nothing,
  onDrained: nothing,
  onTorn: nothing,
  onDamaged: nothing,
  onQuarantined: nothing,
  onHeavy: nothing,
  onThreadDied: nothing,
};
