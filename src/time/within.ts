import type { Clock } from './clock.ts';

/** Rejects if the other process takes longer: one that hangs must not hold up those that wait for it. */
export function within<T>(clock: Pick<Clock, 'deadline'>, ms: number, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.deadline(ms, () => reject(new Error(`no reply within ${ms} ms`)));
    void reply.then(resolve, reject).finally(cancel);
  });
}
