const barCharacters = 30;
const pauseMs = 100;

/** A progress bar on standard error, only if that is a terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #isShown = process.stderr.isTTY === true;
  #lastMs = 0;

  constructor(label: string) {
    this.#label = label;
  }

  show(done: number, total: number): void {
    const now = Date.now();
    if (!this.#isShown || (done < total && now - this.#lastMs < pauseMs)) return;
    this.#lastMs = now;
    const share = total === 0 ? 1 : done / total;
    const full = Math.round(share * barCharacters);
    const bar = '█'.repeat(full) + '░'.repeat(barCharacters - full);
    process.stderr.write(`\r${this.#label} ${bar} ${Math.floor(share * 100)} %`);
  }

  /** Clears the line for what is printed next. */
  end(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K');
  }
}
