import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { undoLater } from '../../bench/undo.ts';
import type { FromLoad, LoadOrder, Tally, ToLoad } from './order.ts';

/** The load process as the scenario sees it. */
export class Load {
  readonly #child: ChildProcess;
  readonly #stop: () => Promise<void>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#stop = undoLater(async () => void child.kill());
  }

  /** Returns when the first lead has been sent and answered: earlier faults would affect nothing. */
  static async start(order: LoadOrder, onProgress: (tally: Tally) => void): Promise<Load> {
    const load = new Load(fork(join(import.meta.dirname, 'process.ts')));
    // Only its exit matters, not a message that no longer reaches it.
    load.#child.on('error', () => {});
    load.#child.on('message', (message: FromLoad) => {
      if (message.kind === 'progress') onProgress(message.tally);
    });
    await load.#ask({ kind: 'start', order }, 'begun');
    return load;
  }

  aimAt(ports: readonly number[]): void {
    this.#tell({ kind: 'targets', ports });
  }

  finish(): Promise<void> {
    return this.#ask({ kind: 'finish' }, 'finished');
  }

  /** Afterwards the ledger is complete and the process has exited. */
  async confirm(): Promise<void> {
    await this.#ask({ kind: 'confirm' }, 'confirmed');
    const exited = once(this.#child, 'exit');
    await this.#stop();
    await exited;
  }

  #tell(message: ToLoad): void {
    this.#child.send(message);
  }

  #ask(message: ToLoad, answer: FromLoad['kind']): Promise<void> {
    return new Promise((resolve, reject) => {
      const onMessage = (received: FromLoad) => {
        if (received.kind !== answer) return;
        this.#child.off('message', onMessage).off('exit', onExit);
        resolve();
      };
      const onExit = () => reject(new Error('The load process exited too early'));
      if (!this.#child.connected) onExit();
      this.#child.on('message', onMessage).once('exit', onExit);
      this.#tell(message);
    });
  }
}
