import type { Life } from '../life.ts';
import type { Asker, Server } from './server.ts';

/** A connection of one process. */
export class Connection {
  readonly #server: Server;
  readonly #life: Life;

  constructor(server: Server, life: Life) {
    this.#server = server;
    this.#life = life;
  }

  /** Rejects when the connection breaks or no result arrives in time. The statement may still take effect, even later. */
  ask<T>(send: (asker: Asker<T>) => void, timeoutMs: number): Promise<T> {
    const server = this.#server;
    const life = this.#life;
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settle = (act: () => void) =>
        life.whenAwake(() => {
          if (isSettled) return;
          isSettled = true;
          cancel();
          disconnect();
          life.step();
          if (!life.isOver) act();
        });
      const onLost = () =>
        settle(() => reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })));
      const cancel = life.deadline(timeoutMs, () => settle(() => reject(new Error('Query read timeout'))));
      const disconnect = server.connect(onLost);
      life.step();
      if (life.isOver) return;
      const onAnswer = (answer: () => T) =>
        settle(() => {
          try {
            resolve(answer());
          } catch (error) {
            reject(error);
          }
        });
      send({ onAnswer, onLost });
    });
  }
}
