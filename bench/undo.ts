/**
 * What has to be undone however the benchmark ends: stopping children, removing temporary directories. The newest comes
 * first, so that a process stops before its directory is removed.
 */
const pending: (() => Promise<void>)[] = [];
let interrupted = false;

/** The returned function undoes the thing now. Further calls, including those of undoAll, wait for the first one. */
export function undoLater(undo: () => Promise<void>): () => Promise<void> {
  let undone: Promise<void> | undefined;
  const once = () => {
    undone ??= undo();
    const at = pending.indexOf(once);
    if (at !== -1) pending.splice(at, 1);
    return undone;
  };
  pending.push(once);
  // Also undoes what was starting when Ctrl-C was pressed. Nothing starts after that.
  if (interrupted) throw new Error('The benchmark was interrupted');
  return once;
}

/** Interrupts the benchmark: whatever it waits for fails, so that it reaches its own undoAll. */
export function interrupt(): void {
  interrupted = true;
  void undoAll();
}

export function isInterrupted(): boolean {
  return interrupted;
}

let undoing: Promise<void> | null = null;

/** A second call waits for the first one: two at the same time would break the order. */
export function undoAll(): Promise<void> {
  undoing ??= undoPending().finally(() => {
    undoing = null;
  });
  return undoing;
}

async function undoPending(): Promise<void> {
  for (let undo = pending.pop(); undo !== undefined; undo = pending.pop()) {
    await undo().catch((error: Error) => process.stderr.write(`while cleaning up: ${error.message}\n`));
  }
}

/** Runs a benchmark and cleans up, even when it fails or is interrupted. Returns the exit code. */
export async function runAndUndo(bench: () => Promise<boolean>): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    return (await bench()) ? 0 : 1;
  } catch (error) {
    if (interrupted) return 130;
    throw error;
  } finally {
    await undoAll();
  }
}
