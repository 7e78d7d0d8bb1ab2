const megabyte = 1_000_000;

/** What the processes of a host take under load, without PostgreSQL. `leadgate doctor` compares it with the machine. */
const supervisorBytes = 130 * megabyte;
const firstWorkerBytes = 350 * megabyte;
const otherWorkerBytes = 300 * megabyte;

export function memoryNeeded(workers: number): number {
  const supervisor = workers > 1 ? supervisorBytes : 0;
  return supervisor + firstWorkerBytes + (workers - 1) * otherWorkerBytes;
}
