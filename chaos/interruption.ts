import { interrupt, undoAll } from '../bench/undo.ts';

/** Ctrl-C cleans up and exits, whatever a scenario was waiting for. */
export function endWhenInterrupted(): void {
  const end = () => {
    interrupt();
    void undoAll().then(() => process.exit(130));
  };
  process.once('SIGINT', end).once('SIGTERM', end);
}
