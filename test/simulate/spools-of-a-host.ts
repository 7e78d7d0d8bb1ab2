import { pino } from 'pino';
import { HostDisk } from '../../simulate/disk/host-disk.ts';
import { ProcessDisk } from '../../simulate/disk/process-disk.ts';
import { Life } from '../../simulate/life.ts';
import type { StorableLead } from '../../src/db/ingest/ingest-commit.ts';
import type { IngestNode } from '../../src/db/ingest/ingest-database.ts';
import { firstGeneration, generationAt, SubmissionIds } from '../../src/domain/lead/submission-id.ts';
import { deriveIdRoot } from '../../src/domain/secrets/id-root.ts';
import type { Circuits } from '../../src/ingest/circuit/circuits.ts';
import type { CommitResult } from '../../src/ingest/commit/commit-result.ts';
import { fallbackScore } from '../../src/ingest/commit/score.ts';
import type { Submission } from '../../src/ingest/commit/submission.ts';
import { Drain } from '../../src/ingest/spool/drain/drain.ts';
import { LedgerService } from '../../src/ingest/spool/ledger/ledger-service.ts';
import { Spool } from '../../src/ingest/spool/spool.ts';
import { Random } from '../../src/time/random.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import { othersDone, SimulatedClock } from '../../src/time/simulated-clock.ts';
import { type LinkPair, linkPair } from './link-pair.ts';

export const hostLimits = { perMinuteMax: 25, perDayMax: 1_000 };
const log = pino({ level: 'silent' });
const idRoot = deriveIdRoot('encryption-key-of-the-spools-of-a-host-01234');
const meter = { onDrained() {}, onTorn() {}, onDamaged() {}, onQuarantined() {} };

interface Worker {
  readonly life: Life;
  readonly spool: Spool;
  readonly drain: Drain;
  readonly pair: LinkPair;
}

export interface Sent {
  readonly workspace: number;
  readonly key: number | null;
  readonly result: CommitResult | 'to PostgreSQL' | 'died';
  readonly at: number;
}

/** Several workers with their real spools, the supervisor's ledger, and a PostgreSQL that is down until `isUp`. */
export class SpoolsOfAHost {
  readonly random: Random;
  readonly time: SimulatedClock;
  readonly disk: HostDisk;
  readonly ledger: LedgerService;
  readonly bytesMax: number;
  readonly sent: Sent[] = [];
  readonly workers = new Map<number, Worker>();
  isUp = false;
  asked = 0;
  readonly #seed: number;
  #started = 0;

  constructor(seed: number) {
    this.#seed = seed;
    // In one of three, the space is used up before the rates.
    this.bytesMax = seed % 3 === 0 ? 24_000 : 60_000;
    this.random = new Random(seed);
    this.time = new SimulatedClock(1_700_000_000_000, () => this.random.next());
    this.disk = new HostDisk(this.random);
    this.ledger = new LedgerService({ bytesMax: this.bytesMax, limits: hostLimits, clock: this.time });
  }

  get spooledBytes(): number {
    return [...this.workers.values()].reduce((sum, { spool }) => sum + spool.stock.bytes, 0);
  }

  async pass(ms: number, look: () => void = () => {}): Promise<void> {
    const until = this.time.monotonic() + ms;
    await othersDone();
    while (this.time.step(until)) {
      await othersDone();
      look();
    }
  }

  start(): void {
    const id = ++this.#started;
    const life = new Life(`worker ${id}`, this.time, new Random(this.#seed * 1_000 + id));
    const pair = linkPair(this.time, this.random);
    this.ledger.join(id, pair.supervisor);
    const randomness = seededRandomness(life.random, life);
    const ids = new SubmissionIds(idRoot, randomness);
    const spool = new Spool({
      disk: new ProcessDisk(this.disk, life),
      root: '/spool',
      bytesMax: this.bytesMax,
      clock: life,
      randomness,
      limits: hostLimits,
      log,
      link: pair.worker,
      nextId: ({ workspaceId, key, receivedAt }) =>
        key === null ? ids.unkeyed() : ids.keyed(workspaceId, key.hash, generationAt(receivedAt)),
    });
    const node = {
      drain: () => life.sleep(life.random.between(1, 20)).then(() => []),
    } as Partial<IngestNode> as IngestNode;
    const drain = new Drain({
      spool,
      circuits: { isOpen: () => !this.isUp } as Partial<Circuits> as Circuits,
      database: { nodeOf: () => node, quarantine: async () => true },
      clock: life,
      log,
      meter,
      isBusy: () => false,
      nextId: () => '',
      heavy: { project: async (body) => body },
    });
    this.workers.set(id, { life, spool, drain, pair });
    void spool.open().then(() => drain.start());
  }

  /** The supervisor hears of it a moment later. */
  kill(id: number): void {
    const worker = this.workers.get(id);
    if (worker === undefined) return;
    this.workers.delete(id);
    worker.life.end();
    this.time.deadline(this.random.between(0, 3), () => worker.pair.cut());
    this.time.deadline(this.random.between(3, 6), () => this.ledger.leave(id));
  }

  send(id: number, workspace: number, key: number | null): void {
    const { life, spool } = this.workers.get(id) as Worker;
    const at = this.time.now();
    this.asked++;
    let lead = leadOf(
      workspace,
      key,
      at,
      new SubmissionIds(idRoot, seededRandomness(this.random, this.time)),
    );
    let isEnded = false;
    const end = (result: Sent['result']) => {
      if (isEnded) throw new Error('A request was answered twice.');
      isEnded = true;
      this.sent.push({ workspace, key, result, at });
    };
    life.onEnd(() => {
      if (!isEnded) end('died');
    });
    const submission = {
      get lead() {
        return lead;
      },
      score: () => lead,
      renew: (submissionId: string) => {
        lead = { ...lead, submissionId };
      },
      settle: (result: CommitResult) => {
        if (!life.isOver) end(result);
      },
    } as unknown as Submission;
    // Like the committer.
    if (!this.isUp || spool.holdsOriginalOf(lead)) spool.submit(submission);
    else if (spool.mayFindOriginalOf(lead)) spool.seek(submission, () => end('to PostgreSQL'));
    else end('to PostgreSQL');
  }
}

function leadOf(workspace: number, key: number | null, receivedAt: number, ids: SubmissionIds): StorableLead {
  const workspaceId = Buffer.alloc(16, workspace + 1);
  const hash = key === null ? null : Buffer.alloc(32, key + 1);
  return {
    shard: 0,
    workspaceId,
    formId: workspaceId,
    tokenId: null,
    surface: 'server',
    submissionId: hash === null ? ids.unkeyed() : ids.keyed(workspaceId, hash, firstGeneration),
    receivedAt,
    body: Buffer.from('{}'),
    projection: Buffer.from('{}'),
    score: fallbackScore,
    key: hash === null ? null : { hash, bodyHash: hash },
    signed: null,
  };
}
