import type { Logger } from 'pino';
import type { StorableKey, StorableLead } from '../../db/ingest/ingest-commit.ts';
import type { RateLimits } from '../../domain/rate-window.ts';
import type { CommitResult } from '../commit/commit-result.ts';
import { duplicateNames, isSameBody, keyName } from '../commit/duplicate-names.ts';
import { strippedLead } from '../commit/stripped-lead.ts';
import type { Submission, UnscoredLead } from '../commit/submission.ts';
import { decodeEntry, type EnteredLead, encodeEntry } from './entry.ts';
import { type FolderDeps, SpoolFolder } from './folder.ts';
import { Journal } from './journal.ts';
import { LocalRates } from './local-rates.ts';
import { headBytes, payloadBytesMax } from './record.ts';
import { readSegmentInTurns } from './segment.ts';
import { type HeldLead, Stock, type StockItem, stockItem } from './stock.ts';

export interface SpoolDeps extends FolderDeps {
  readonly bytesMax: number;
  readonly limits: RateLimits;
  readonly log: Logger;
  /** The id for a new use of an expired key, derived from the lead of its last use. */
  readonly nextId: (lead: UnscoredLead) => string;
}

interface OwnFolder {
  readonly folder: SpoolFolder;
  readonly journal: Journal;
}

// A disk that has just failed is likely to fail again, so leads are refused for this long without trying.
const failurePauseMs = 100;

/**
 * Stores leads on this machine's disk while PostgreSQL cannot. As far as one instance can know, it gives the results that
 * PostgreSQL would give: duplicates by key or signature, and rate limits. The drain moves the leads to PostgreSQL later.
 */
export class Spool {
  readonly stock: Stock;
  readonly #deps: SpoolDeps;
  readonly #rates: LocalRates;
  #own: OwnFolder | null = null;
  #opening: Promise<OwnFolder> | null = null;
  #adopted: SpoolFolder[] = [];
  #isFailing = true;
  #pausesUntil = 0;

  constructor(deps: SpoolDeps) {
    this.#deps = deps;
    this.stock = new Stock(deps.bytesMax);
    this.#rates = new LocalRates(deps.limits);
  }

  /** Opens the folder and adopts those of earlier processes. Does not throw: a missing disk may be mounted later. */
  async open(): Promise<void> {
    try {
      await this.#ensureOpen();
      this.#isFailing = false;
      await this.adopt();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'spool unavailable; leads depend on PostgreSQL alone');
    }
  }

  /** True when the last write succeeded and there is space for more. */
  get isUsable(): boolean {
    return !this.#isFailing && this.stock.hasSpace;
  }

  /** True when it is worth trying to store a lead. */
  get isTaking(): boolean {
    return this.stock.hasSpace && !this.#isPausing;
  }

  /** True when this lead is a duplicate of one in the spool. */
  holdsOriginalOf(lead: UnscoredLead): boolean {
    return this.stock.mayHoldOriginals && this.#originalOf(lead) !== null;
  }

  /** The spooled lead with this key, once it is on disk. */
  async findKey(workspaceId: Buffer, key: StorableKey): Promise<HeldLead | null> {
    const name = keyName({ workspaceId, key });
    const held = name === null ? null : this.stock.living(name, this.#deps.clock.now());
    const isKept = await held?.kept.then(
      () => true,
      () => false,
    );
    return isKept === true ? held : null;
  }

  submit(submission: Submission): void {
    const { lead } = submission;
    const name = keyName(lead);
    const held = this.#originalOf(lead);
    if (held !== null) {
      const { submissionId } = held;
      const duplicate = { kind: 'duplicate', submissionId, isSameBody: isSameBody(held, lead) } as const;
      this.#settleWhen(held.kept, submission, duplicate);
      return;
    }
    if (name !== null && this.stock.hasExpired(name, this.#deps.clock.now()))
      submission.renew(this.#deps.nextId(lead));
    this.#keep(submission);
  }

  /** The own folder last, because the leads in adopted ones are older. */
  get folders(): readonly SpoolFolder[] {
    return this.#own === null ? this.#adopted : [...this.#adopted, this.#own.folder];
  }

  /** True for the one segment that may still grow. Segments in other folders may have the same name. */
  isGrowing(folder: SpoolFolder, segment: string): boolean {
    return folder === this.#own?.folder && segment === this.#own.journal.openSegment;
  }

  async seal(): Promise<void> {
    await this.#own?.journal.seal();
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
    if (folder === this.#own?.folder) return;
    this.#adopted = this.#adopted.filter((other) => other !== folder);
    await folder.close();
  }

  async close(): Promise<void> {
    await this.seal();
    for (const folder of this.folders) await folder.close();
    this.#adopted = [];
    this.#own = null;
  }

  #originalOf(lead: UnscoredLead): HeldLead | null {
    const now = this.#deps.clock.now();
    for (const name of duplicateNames(lead)) {
      const held = this.stock.living(name, now);
      if (held !== null) return held;
    }
    return null;
  }

  get #isPausing(): boolean {
    return this.#isFailing && this.#deps.clock.monotonic() < this.#pausesUntil;
  }

  /** Score → write → answer. */
  #keep(submission: Submission): void {
    if (this.#isPausing) {
      submission.settle({ kind: 'unavailable' });
      return;
    }
    const lead = submission.score();
    const payload = encodeBounded(lead);
    const item = stockItem(lead, payload.length + headBytes);
    const { workspace } = item;
    const limit = this.#rates.take(workspace, lead.surface, this.#deps.clock.now());
    if (limit !== null) {
      submission.settle({ kind: 'rate_limited', reason: limit });
      return;
    }
    if (!this.stock.fits(item)) {
      this.#rates.giveBack(workspace, lead.surface);
      submission.settle({ kind: 'unavailable' });
      return;
    }
    const kept = this.#append(payload).catch((error) => {
      this.#forget(lead, item, error);
      throw error;
    });
    this.stock.add(item, { ...marksOf(lead), kept });
    this.#settleWhen(kept, submission, { kind: 'stored', submissionId: lead.submissionId });
  }

  async #append(payload: Buffer): Promise<void> {
    try {
      const { journal } = this.#own ?? (await this.#ensureOpen());
      await journal.append(payload);
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      this.#pausesUntil = this.#deps.clock.monotonic() + failurePauseMs;
      // The folder is missing, perhaps with its disk. The next lead creates a new one.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#own = null;
      throw error;
    }
  }

  #forget(lead: StorableLead, item: StockItem, error: unknown): void {
    this.stock.remove(item, lead.submissionId);
    this.#rates.giveBack(item.workspace, lead.surface);
    this.#deps.log.error({ err: error }, 'spool write failed');
  }

  #settleWhen(kept: Promise<void>, submission: Submission, result: CommitResult): void {
    kept
      .then(
        () => submission.settle(result),
        () => submission.settle({ kind: 'unavailable' }),
      )
      .catch((error) => this.#deps.log.error({ err: error }, 'response not sent'));
  }

  async #ensureOpen(): Promise<OwnFolder> {
    this.#opening ??= SpoolFolder.create(this.#deps)
      .then((folder) => ({ folder, journal: new Journal(folder.dir, this.#deps) }))
      .finally(() => {
        this.#opening = null;
      });
    this.#own = await this.#opening;
    return this.#own;
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
    const kept = Promise.resolve();
    this.stock.add(stockItem(lead, payload.length + headBytes), { ...marksOf(lead), kept });
  }
}

/** The part of a lead that stays in memory. */
function marksOf({ submissionId, receivedAt, key, signed }: EnteredLead): Omit<HeldLead, 'kept'> {
  return { submissionId, receivedAt, key, signed };
}

/** An oversized record would count as damaged when it is read. Only reasons can make one that large, so they are dropped. */
function encodeBounded(lead: StorableLead): Buffer {
  const payload = encodeEntry(lead);
  return payload.length <= payloadBytesMax ? payload : encodeEntry(strippedLead(lead));
}
