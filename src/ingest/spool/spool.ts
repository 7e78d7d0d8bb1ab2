import type { Logger } from 'pino';
import type { RateLimits } from '../../domain/rate-window.ts';
import type { CommitResult } from '../commit/commit-result.ts';
import {
  duplicateNames,
  hasBodyOf,
  keyName,
  type LeadMarks,
  type Named,
} from '../commit/duplicates/duplicate-names.ts';
import type { Submission, UnscoredLead } from '../commit/submission.ts';
import type { HostLink } from '../siblings/link.ts';
import { decodeEntry, type EnteredLead, encodeBounded } from './entry.ts';
import { type FolderDeps, SpoolFolder } from './folder.ts';
import { type Claim, claimOf, type Decision, type Found, type Ledger, OwnLedger } from './ledger/ledger.ts';
import { SharedLedger } from './ledger/shared-ledger.ts';
import { OwnFolder } from './own-folder.ts';
import { headBytes } from './record.ts';
import { readSegmentInTurns } from './segment.ts';
import { type HeldLead, Stock, stockItem } from './stock.ts';

export interface SpoolDeps extends FolderDeps {
  readonly bytesMax: number;
  readonly limits: RateLimits;
  readonly log: Logger;
  /** The id for a new use of an expired key, derived from the lead of its last use. */
  readonly nextId: (lead: UnscoredLead) => string;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
}

/**
 * Stores leads on this machine's disk while PostgreSQL cannot. As far as one instance can know, it gives the results that
 * PostgreSQL would give: duplicates by key or signature, and rate limits. The drain moves the leads to PostgreSQL later.
 */
export class Spool {
  readonly stock = new Stock<HeldLead>();
  readonly #deps: SpoolDeps;
  readonly #ledger: Ledger;
  readonly #own: OwnFolder;
  #adopted: SpoolFolder[] = [];
  #adopting: Promise<void> | null = null;
  #isClosed = false;
  /** The shards of the leads in the growing segment, and perhaps of some before. */
  readonly #growingShards = new Set<number>();

  constructor(deps: SpoolDeps) {
    this.#deps = deps;
    this.#own = new OwnFolder(deps);
    this.#ledger = ledgerOf(deps, this.stock, () => this.#adoptNow());
  }

  /** Opens the folder and adopts those of earlier processes. Does not throw: a missing disk may be mounted later. */
  async open(): Promise<void> {
    try {
      await this.#own.open();
      await this.adopt();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'spool unavailable; leads depend on PostgreSQL alone');
    }
  }

  /** True when the last write succeeded and there is space for more. */
  get isUsable(): boolean {
    return !this.#own.isFailing && this.#ledger.hasSpace;
  }

  /** True when it is worth trying to store a lead. */
  get isTaking(): boolean {
    return this.#ledger.hasSpace && !this.#own.isPausing;
  }

  /** True when this lead is a duplicate of one in this process's spool. */
  holdsOriginalOf(lead: UnscoredLead): boolean {
    return this.stock.mayHoldOriginals && this.#originalOf(lead) !== null;
  }

  /** True when it may be a duplicate of one in the spool of another worker of this host. */
  mayFindOriginalOf({ key, signed }: UnscoredLead): boolean {
    return this.#ledger.mayFind && (key !== null || signed !== null);
  }

  /** Answers a duplicate of a lead in another worker's spool. `otherwise` takes the submission if it is none. */
  seek(submission: Submission, otherwise: () => void): void {
    this.#ledger.look(duplicateNames(submission.lead), (found) => {
      if (found.kind === 'none') otherwise();
      else this.#settleFound(submission, found);
    });
  }

  /** The spooled lead that this would be a duplicate of, once it is on disk. */
  async findOriginal(lead: Named): Promise<LeadMarks | null> {
    const held = this.#originalOf(lead);
    const isKept = await held?.kept.then(
      () => true,
      () => false,
    );
    if (isKept === true) return held;
    return this.#ledger.mayFind ? this.#findElsewhere(duplicateNames(lead)) : null;
  }

  submit(submission: Submission): void {
    const { lead } = submission;
    const name = keyName(lead);
    const held = this.#originalOf(lead);
    if (held !== null) {
      this.#settleWhen(held.kept, submission, duplicateOf(held, lead));
      return;
    }
    const isRenewed = name !== null && this.stock.hasExpired(name, this.#deps.clock.now());
    if (isRenewed) submission.renew(this.#deps.nextId(lead));
    this.#keep(submission, isRenewed);
  }

  /** A lead is stored in PostgreSQL. */
  drained(lead: EnteredLead, bytes: number): void {
    const item = stockItem(lead, bytes);
    this.stock.remove(item, lead.submissionId);
    this.#ledger.drained(item, lead.submissionId);
  }

  /** Resolves when the ledger has answered everything. */
  idle(): Promise<void> {
    return this.#ledger.idle();
  }

  /** The own folder last, because the leads in adopted ones are older. */
  get folders(): readonly SpoolFolder[] {
    const { folder } = this.#own;
    return folder === null ? this.#adopted : [...this.#adopted, folder];
  }

  isGrowing(folder: SpoolFolder, segment: string): boolean {
    return this.#own.isGrowing(folder, segment);
  }

  /** Ends the growing segment if it has leads that can be drained: small segments are many files in a long outage. */
  async seal(isDrainable: (shard: number) => boolean = () => true): Promise<void> {
    if (![...this.#growingShards].some(isDrainable)) return;
    this.#growingShards.clear();
    await this.#own.seal();
  }

  /** Takes over the folders of processes that have ended. */
  async adopt(): Promise<void> {
    const own = new Set(this.folders.map(({ name }) => name));
    for (const folder of await SpoolFolder.adoptAll(this.#deps, own)) {
      await this.#takeStock(folder);
      this.#adopted.push(folder);
      this.#deps.log.info({ folder: folder.name }, 'spool of a stopped process adopted');
    }
  }

  /** Closes an adopted folder that is drained. */
  async release(folder: SpoolFolder): Promise<void> {
    if (folder === this.#own.folder) return;
    this.#adopted = this.#adopted.filter((other) => other !== folder);
    await folder.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ledger.idle();
    await this.#adopting;
    await this.seal();
    for (const folder of this.#adopted.splice(0)) await folder.close();
    await this.#own.close();
  }

  #originalOf(lead: Named): HeldLead | null {
    const now = this.#deps.clock.now();
    for (const name of duplicateNames(lead)) {
      const held = this.stock.living(name, now);
      if (held !== null) return held;
    }
    return null;
  }

  /** Score → claim → write → answer. */
  #keep(submission: Submission, isRenewed: boolean): void {
    if (this.#own.isPausing) {
      submission.settle({ kind: 'unavailable' });
      return;
    }
    const lead = submission.score();
    const payload = encodeBounded(lead);
    const claim = claimOf(lead, payload.length + headBytes, isRenewed);
    this.#ledger.claim(claim, (decision) => this.#carryOut(decision, submission, claim, payload));
  }

  #carryOut(decision: Decision, submission: Submission, claim: Claim, payload: Buffer): void {
    switch (decision.kind) {
      case 'keep':
        this.#write(submission, claim, payload);
        break;
      case 'rate_limited':
        // A lead that is perhaps stored must not be rejected.
        submission.settle(submission.mayBeStored ? { kind: 'unavailable' } : decision);
        break;
      case 'no_space':
        submission.settle({ kind: 'unavailable' });
        break;
      case 'expired':
        submission.renew(this.#deps.nextId(submission.lead));
        this.#keep(submission, true);
        break;
      default:
        this.#settleFound(submission, decision);
    }
  }

  #write(submission: Submission, claim: Claim, payload: Buffer): void {
    const { item, marks } = claim;
    const kept = this.#own.append(payload).catch((error) => {
      this.#forget(claim, error);
      throw error;
    });
    const held: HeldLead = { ...marks, kept, isOnDisk: false };
    this.stock.add(item, held);
    const onKept = () => {
      held.isOnDisk = true;
      this.#growingShards.add(submission.lead.shard);
      this.#ledger.kept(claim);
    };
    this.#settleWhen(kept, submission, { kind: 'stored', submissionId: marks.submissionId }, onKept);
  }

  #forget(claim: Claim, error: unknown): void {
    this.stock.remove(claim.item, claim.marks.submissionId);
    this.#ledger.failed(claim);
    this.#deps.log.error({ err: error }, 'spool write failed');
  }

  #settleFound(submission: Submission, found: Found): void {
    const isThere = found.kind === 'duplicate';
    submission.settle(isThere ? duplicateOf(found.original, submission.lead) : { kind: 'unavailable' });
  }

  #settleWhen(
    kept: Promise<void>,
    submission: Submission,
    result: CommitResult,
    onKept: () => void = () => {},
  ): void {
    kept
      .then(
        () => {
          onKept();
          submission.settle(result);
        },
        () => submission.settle({ kind: 'unavailable' }),
      )
      .catch((error) => this.#deps.log.error({ err: error }, 'response not sent'));
  }

  async #findElsewhere(names: readonly string[]): Promise<LeadMarks | null> {
    const found = await new Promise<Found | null>((resolve) =>
      this.#ledger.look(names, (answer) => resolve(answer.kind === 'none' ? null : answer)),
    );
    return found?.kind === 'duplicate' ? found.original : null;
  }

  /** The drain would do it after the outage. Until then duplicates of these leads would not be recognised. */
  #adoptNow(): void {
    if (this.#isClosed) return;
    const { log } = this.#deps;
    this.#adopting = this.adopt().catch((error) => log.warn({ err: error }, 'spool folder not adopted yet'));
  }

  async #takeStock(folder: SpoolFolder): Promise<void> {
    for (const segment of await folder.segments()) {
      const drainedTo = await folder.cursor(segment);
      const { records } = await readSegmentInTurns(await folder.read(segment), this.#deps.clock);
      for (const { payload, end } of records) {
        if (end > drainedTo) this.#addRecord(payload);
      }
    }
  }

  #addRecord(payload: Buffer): void {
    const lead = decodeEntry(payload);
    if (lead === null) return;
    const claim = claimOf(lead, payload.length + headBytes, false);
    this.stock.add(claim.item, { ...claim.marks, kept: Promise.resolve(), isOnDisk: true });
    this.#ledger.found(claim);
  }
}

function ledgerOf(deps: SpoolDeps, stock: Stock<HeldLead>, onOrphans: () => void): Ledger {
  const { link } = deps;
  const own = new OwnLedger({ ...deps, stock });
  return link === undefined ? own : new SharedLedger({ ...deps, link, stock, own, onOrphans });
}

function duplicateOf(original: LeadMarks, lead: UnscoredLead): CommitResult {
  const { submissionId } = original;
  return { kind: 'duplicate', submissionId, isSameBody: hasBodyOf(original, lead) };
}
