import type { Logger } from 'pino';
import type {
  DeliverDatabase,
  DestinationRef,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import type { DisabledReason } from '../../domain/destination/destination.ts';
import { type DestinationHealth, isToBeDisabled } from '../../domain/destination/retry/circuit.ts';
import type { Decision, Moment } from '../../domain/destination/retry/schedule.ts';
import type { Clock } from '../../time/clock.ts';
import { learn } from './conclusion.ts';

export interface HealthBookDeps {
  readonly database: Pick<DeliverDatabase, 'saveHealth' | 'disable'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Known {
  readonly version: number;
  readonly health: DestinationHealth;
  readonly lastError: string | null;
}

/** Whether a destination works, as its line knows: newer than what is stored, unless an owner has changed the destination. */
export class HealthBook {
  readonly #ref: DestinationRef;
  readonly #deps: HealthBookDeps;
  #known: Known | null = null;
  #saving: Promise<void> | null = null;
  #isSaved = true;

  constructor(ref: DestinationRef, deps: HealthBookDeps) {
    this.#ref = ref;
    this.#deps = deps;
  }

  /** A change by an owner sets the stored health back. */
  read({ version, health }: SendingDestination): DestinationHealth {
    if (this.#known?.version !== version) this.#known = { version, health, lastError: null };
    return this.#known.health;
  }

  get isCircuitOpen(): boolean {
    return this.#known !== null && this.#known.health.openedAt !== null;
  }

  get failures(): number {
    return this.#known?.health.consecutiveFailures ?? 0;
  }

  /** What a try says about its destination, unless an owner has changed that since. */
  async note(
    destination: SendingDestination,
    decision: Decision,
    error: string | null,
    moment: Moment,
  ): Promise<void> {
    if (this.#known?.version !== destination.version) return;
    const before = this.#known.health;
    const health = learn(before, decision, moment);
    if (hasChanged(before, health)) {
      this.#known = { version: destination.version, health, lastError: error };
      this.#isSaved = false;
      void this.save();
    }
    if (decision.next !== 'delivered' && isToBeDisabled(health, moment.now))
      await this.disable(destination, 'failing');
  }

  /** One at a time; what changes meanwhile is saved afterwards. After a failure the next change saves it. */
  save(): Promise<void> {
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #saveAll(): Promise<void> {
    while (!this.#isSaved && this.#known !== null) {
      this.#isSaved = true;
      const { version, health, lastError } = this.#known;
      try {
        await this.#deps.database.saveHealth([
          { destinationId: this.#ref.id, version, ...health, lastError },
        ]);
      } catch {
        this.#isSaved = false;
        return;
      }
    }
  }

  /** False when an owner has changed it in the meantime, or when it could not be written. */
  async disable(destination: SendingDestination, reason: DisabledReason): Promise<boolean> {
    const { database, clock, log } = this.#deps;
    try {
      if (!(await database.disable({ destination, reason, at: new Date(clock.now()) }))) return false;
    } catch (error) {
      log.warn({ err: error, destination_id: destination.id }, 'destination not disabled; trying again');
      return false;
    }
    log.warn({ destination_id: destination.id, reason }, 'destination disabled');
    return true;
  }
}

function hasChanged(before: DestinationHealth, after: DestinationHealth): boolean {
  return (
    before.consecutiveFailures !== after.consecutiveFailures ||
    before.nextProbeAt?.getTime() !== after.nextProbeAt?.getTime()
  );
}
