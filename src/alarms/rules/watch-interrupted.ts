import { hourMs } from '../../time/clock.ts';
import type { Judgement, Rule, Verdicts } from '../rule.ts';

const kind = 'watch_interrupted';
const openMs = hourMs;

interface Interruption {
  readonly since: Date;
  readonly until: Date;
}

/** The instance that judged before vanished, and for a while nobody has noticed what was wrong. */
export class WatchInterrupted implements Rule {
  readonly kinds = [kind] as const;
  readonly everyMinutes = 1;
  #interruption: Interruption | null = null;

  /** Called by the instance that judges from now on. */
  note(interruption: Interruption): void {
    this.#interruption = interruption;
  }

  async judge({ now, open }: Judgement): Promise<Verdicts> {
    const over = open
      .filter(({ lastAt }) => now.getTime() - lastAt.getTime() >= openMs)
      .map(({ id }) => ({ alarmId: id, as: 'recovered' as const }));
    const interruption = this.#interruption;
    if (interruption === null) return { findings: [], over };
    const since = interruption.since.toISOString();
    // Stored, so it need not be found again.
    if (open.some(({ evidence }) => evidence.since === since)) {
      this.#interruption = null;
      return { findings: [], over };
    }
    const evidence = { since, until: interruption.until.toISOString() };
    const subject = { workspaceId: null, formId: null, tokenId: null, destinationId: null, reason: null };
    return { findings: [{ ...subject, kind, severity: 'medium', evidence }], over };
  }
}
