import { write, writeSync } from 'node:fs';
import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/real-clock.ts';

const charactersMax = 4 * 1024 ** 2;
const pauseMs = 100;
const newline = 0x0a;

/** What is being written: lines, after a prefix that nobody logged. */
interface Chunk {
  readonly bytes: Buffer;
  readonly prefixBytes: number;
  /** How many dropped lines the prefix tells of. */
  readonly tellsOf: number;
}

/**
 * Writes lines to an open file in the background, in order, and outlives a full disk and a reader that stops or is slow:
 *
 *   idle → writing     when a line comes
 *   writing → idle     when all lines are written
 *   writing → pausing  when the file accepts nothing. A slow reader gets the rest after the pause; after any other error
 *                      the lines that were being written are dropped
 *   pausing → writing  after a moment. If lines were dropped, the log says so first
 *
 * Lines that come meanwhile wait, within a limit, and are dropped beyond it.
 */
export class LogLines {
  readonly #fd: number;
  readonly #clock: Clock;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #isBusy = false;
  #isLineOpen = false;
  #isWritable = true;
  #dropped = 0;
  #told = 0;

  constructor(fd: number, clock: Clock) {
    this.#fd = fd;
    this.#clock = clock;
    process.once('exit', () => this.#writeLast());
  }

  /** How many lines were not written, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** False while lines are dropped. */
  get isWritable(): boolean {
    return this.#isWritable;
  }

  write(line: string): void {
    if (this.#waitingCharacters + line.length > charactersMax) this.#drop(1);
    else {
      this.#waiting.push(line);
      this.#waitingCharacters += line.length;
    }
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const tellsOf = this.#dropped;
    const prefix = Buffer.from(tellsOf > this.#told ? this.#notice(tellsOf - this.#told) : '');
    const bytes = Buffer.concat([prefix, Buffer.from(this.#waiting.join(''))]);
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#isBusy = bytes.length > 0;
    if (this.#isBusy) this.#send({ bytes, prefixBytes: prefix.length, tellsOf }, 0);
  }

  #send(chunk: Chunk, from: number): void {
    const { bytes, prefixBytes, tellsOf } = chunk;
    write(this.#fd, bytes, from, (error, written) => {
      const at = from + written;
      if (error === null) {
        this.#isWritable = true;
        this.#isLineOpen = bytes[at - 1] !== newline;
        if (at < bytes.length) return this.#send(chunk, at);
        this.#told = tellsOf;
        return this.#next();
      }
      if (error.code === 'EAGAIN') return this.#pause(() => this.#send(chunk, at));
      this.#drop(linesIn(bytes.subarray(Math.max(at, prefixBytes))));
      this.#pause(() => this.#next());
    });
  }

  #pause(then: () => void): void {
    this.#clock.deadline(pauseMs, then);
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#isWritable = false;
  }

  /** Ends a line that was cut short, too. */
  #notice(lines: number): string {
    const time = new Date(this.#clock.now()).toISOString();
    const text = JSON.stringify({
      level: 40,
      time,
      lines,
      msg: 'log lines dropped: they could not be written',
    });
    return `${this.#isLineOpen ? '\n' : ''}${text}\n`;
  }

  /** For a process that exits in the middle of its work. */
  #writeLast(): void {
    try {
      writeSync(this.#fd, this.#waiting.join(''));
    } catch {
      // There is nobody left to tell.
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}

/** The log of this process. */
export const standardError = new LogLines(2, systemClock);
