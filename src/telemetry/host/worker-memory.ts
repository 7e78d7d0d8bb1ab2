const megabyte = 1_000_000;

/** What the processes of a host take under load, without PostgreSQL. `leadgate doctor` compares it with the machine. */
const firstWorkerBytes = 250 * megabyte;
const otherWorkerBytes = 150 * megabyte;

export function memoryNeeded(workers: number): number {
  return firstWorkerBytes + (workers - 1) * otherWorkerBytes;
}
