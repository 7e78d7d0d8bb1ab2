/**
 * What has to be undone however the benchmark ends: children stopped, temporary directories removed. Newest
 * first, as a directory goes after the process that writes into it.
 */
const pending: (() => Promise<void>)[] = [];
let interrupted = false;

/** The function returned undoes the thing now; any further call, also by undoAll, waits for the same undoing. */
export function undoLater(undo: () => Promise<void>): () => Promise<void> {
  let undone: Promise<void> | undefined;
  const once = () => {
    undone ??= undo();
    const at = pending.indexOf(once);
    if (at !== -1) pending.splice(at, 1);
    return undone;
  };
  pending.push(once);
  // What was just starting when Ctrl-C came is undone as well, and nothing starts after it.
  if (interrupted) throw new Error('The benchmark was interrupted');
  return once;
}

/** Ends the benchmark from outside: whatever it was waiting for fails, and so it comes to its own undoAll. */
export function interrupt(): void {
  interrupted = true;
  void undoAll();
}

export function isInterrupted(): boolean {
  return interrupted;
}

let undoing: Promise<void> | null = null;

/** Whoever calls it while it is under way waits for the same undoing: two at once would not keep the order. */
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

/** Runs a benchmark and undoes what it has left, also when it fails or is interrupted; answers the exit code. */
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
