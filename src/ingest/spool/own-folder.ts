import { type FolderDeps, SpoolFolder } from './folder.ts';
import { Journal } from './journal.ts';

interface Open {
  readonly folder: SpoolFolder;
  readonly journal: Journal;
}

// A disk that has just failed is likely to fail again, so leads are refused for this long without trying.
const failurePauseMs = 100;

/**
 * The folder that this process writes to.
 *
 *   closed → open    by `open` or by the next lead; its disk may be mounted later than the process starts
 *   open   → closed  when the folder is missing, perhaps with its disk, and by `close`
 *
 * Besides, it is failing from the start or a failed write until the next success.
 */
export class OwnFolder {
  readonly #deps: FolderDeps;
  #open: Open | null = null;
  #opening: Promise<Open> | null = null;
  #isFailing = true;
  #pausesUntil = 0;

  constructor(deps: FolderDeps) {
    this.#deps = deps;
  }

  get folder(): SpoolFolder | null {
    return this.#open?.folder ?? null;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** True right after a failure. */
  get isPausing(): boolean {
    return this.#isFailing && this.#deps.clock.monotonic() < this.#pausesUntil;
  }

  /** True for the one segment that may still grow. Segments in other folders may have the same name. */
  isGrowing(folder: SpoolFolder, segment: string): boolean {
    return folder === this.#open?.folder && segment === this.#open.journal.openSegment;
  }

  async open(): Promise<void> {
    await this.#ensureOpen();
    this.#isFailing = false;
  }

  /** Resolves when the record is on disk. */
  async append(payload: Buffer): Promise<void> {
    try {
      const { journal } = this.#open ?? (await this.#ensureOpen());
      await journal.append(payload);
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      this.#pausesUntil = this.#deps.clock.monotonic() + failurePauseMs;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#open = null;
      throw error;
    }
  }

  async seal(): Promise<void> {
    await this.#open?.journal.seal();
  }

  async close(): Promise<void> {
    await this.#open?.folder.close();
    this.#open = null;
  }

  async #ensureOpen(): Promise<Open> {
    this.#opening ??= SpoolFolder.create(this.#deps)
      .then((folder) => ({ folder, journal: new Journal(folder.dir, this.#deps) }))
      .finally(() => {
        this.#opening = null;
      });
    this.#open = await this.#opening;
    return this.#open;
  }
}
