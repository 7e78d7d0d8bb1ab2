const names = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;
type Name = (typeof names)[number];

const early = new Set<Name>();

/**
 * Listens to what would otherwise end the process: signals, and errors of standard output and standard error, such as a full
 * disk. To be called before anything else is loaded, which takes up to two seconds.
 */
export function stayAlive(): void {
  for (const name of names) process.on(name, () => early.add(name));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Calls the listener for the signal, immediately if it came before. */
export function onSignal(name: Name, listener: () => void): void {
  process.on(name, listener);
  if (early.has(name)) listener();
}
