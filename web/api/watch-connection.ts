import { connection } from './connection.ts';

/** Looks again when the browser knows more, and when someone returns to the tab during an outage. */
export function watchConnection(): void {
  for (const name of ['online', 'offline'] as const)
    window.addEventListener(name, () => void connection.check());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && connection.current().outage !== null) void connection.check();
  });
}
