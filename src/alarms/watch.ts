import { listScopesWithDigest } from '../db/alarms/alarm-notices.ts';
import { releaseWatch, saveJudged, takeWatch } from '../db/alarms/alarm-watch.ts';
import type { AlarmScope } from '../db/alarms/alarms.ts';
import { readDestinationNames } from '../db/alarms/watched.ts';
import { type AlarmSettings, defaultAlarmSettings } from '../domain/alarm/settings.ts';
import type { Mail } from '../mail/mail.ts';
import { type Loop, minuteMs, secondMs } from '../time/clock.ts';
import type { Randomness } from '../time/randomness.ts';
import type { AlarmMeter } from './alarm-meter.ts';
import { type ApplyDeps, apply, applySeen, isTold, type Scope, WatchLost } from './apply.ts';
import { changesOf, type Updated } from './decide.ts';
import { sendDigest } from './digests.ts';
import { Judge, type JudgeDeps, type Judged } from './judge.ts';
import { OwnerEmails } from './owner-emails.ts';
import { WatchInterrupted } from './rules/watch-interrupted.ts';

export interface AlarmWatchDeps extends JudgeDeps {
  readonly randomness: Randomness;
  readonly mail: Pick<Mail, 'isOn' | 'deliver'>;
  readonly publicUrl: () => string;
  readonly meter: AlarmMeter;
  /** Learns when leads usually come, a little at a time. */
  readonly rhythms: { step(now: number, stopping: AbortSignal): Promise<void> };
}

const judgeMs = minuteMs;
// A judgement can take longer than the lease, if a node of a cluster does not respond.
const renewMs = 30 * secondMs;
const leaseMs = 90 * secondMs;
const emailMs = 10 * secondMs;
// A pass over all shards takes some minutes: a new time zone applies soon.
const learnMs = 5 * secondMs;

/**
 * Judges once a minute what is wrong, and tells people. One instance does so at a time:
 *
 *   waiting → judging  when the lease is free, or its holder has vanished
 *   judging → waiting  when another instance has taken the lease, because this one did not renew it in time
 *
 * Whatever is written is written in a transaction that keeps the lease, so an instance that was too slow writes nothing.
 */
export class AlarmWatch {
  readonly #deps: AlarmWatchDeps;
  readonly #instanceId: string;
  readonly #interrupted = new WatchInterrupted();
  readonly #judge: Judge;
  readonly #emails: OwnerEmails;
  readonly #loops: Loop[] = [];
  #isJudging = false;

  constructor(deps: AlarmWatchDeps) {
    this.#deps = deps;
    this.#instanceId = deps.randomness.uuid();
    this.#judge = new Judge({ ...deps, rules: [this.#interrupted, ...deps.rules] });
    this.#emails = new OwnerEmails(deps);
  }

  start(): void {
    const { clock, log, rhythms } = this.#deps;
    const warn = (text: string) => (err: unknown) => log.warn({ err }, text);
    this.#loops.push(
      clock.repeat((stopping) => this.#judgeOnce(stopping), {
        pauseMs: judgeMs,
        onFailure: warn('alarms not judged; trying again'),
      }),
      clock.repeat(() => this.#isJudging && this.#take(), {
        pauseMs: renewMs,
        pauseFirst: true,
        onFailure: warn('lease of alarms not renewed; trying again'),
      }),
      clock.repeat((stopping) => this.#isJudging && this.#emails.sendDue(stopping), {
        pauseMs: emailMs,
        pauseFirst: true,
        onFailure: warn('emails about alarms not sent; trying again'),
      }),
      clock.repeat((stopping) => this.#isJudging && rhythms.step(clock.now(), stopping), {
        pauseMs: learnMs,
        pauseFirst: true,
        onFailure: warn('rhythm of leads not learnt; trying again'),
      }),
    );
  }

  async stop(): Promise<void> {
    const { pool, log } = this.#deps;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    if (!this.#isJudging) return;
    this.#isJudging = false;
    try {
      await releaseWatch(pool, this.#instanceId);
    } catch (err) {
      log.warn({ err }, 'lease of alarms not released');
    }
  }

  /** Judges once, if no other instance does, and sends what is due. */
  async turn(stopping = new AbortController().signal): Promise<void> {
    await this.#judgeOnce(stopping);
    if (this.#isJudging) await this.#emails.sendDue(stopping);
  }

  /** Without the emails, which have a loop of their own: a slow mail server must not hold up the judging. */
  async #judgeOnce(stopping: AbortSignal): Promise<void> {
    if (!(await this.#take())) return;
    const { clock, meter } = this.#deps;
    const startedAt = clock.monotonic();
    try {
      const judged = await this.#judge.judge();
      await this.#sendDigests(judged, stopping);
      await this.#apply(judged, stopping);
      await saveJudged(this.#deps.pool, this.#instanceId, judged.now);
      meter.onJudged(clock.monotonic() - startedAt, judged.now);
    } catch (error) {
      if (!(error instanceof WatchLost)) throw error;
      this.#isJudging = false;
    }
  }

  async #take(): Promise<boolean> {
    const { pool, clock } = this.#deps;
    const now = new Date(clock.now());
    const until = new Date(now.getTime() + leaseMs);
    const taken = await takeWatch(pool, { instanceId: this.#instanceId, now, until });
    this.#isJudging = taken !== null;
    const since = taken?.vanishedSince ?? null;
    if (since !== null) this.#interrupted.note({ since, until: now });
    return this.#isJudging;
  }

  async #sendDigests({ now, workspaces }: Judged, stopping: AbortSignal): Promise<void> {
    for (const id of await listScopesWithDigest(this.#deps.pool, now)) {
      const settings = settingsOf(id, workspaces);
      if (settings !== null)
        await this.#guarded(id, stopping, () => sendDigest(this.#applyDeps, { id, settings, now }));
    }
  }

  async #apply(judged: Judged, stopping: AbortSignal): Promise<void> {
    const { pool, meter } = this.#deps;
    const { now, workspaces } = judged;
    const destinations = await readDestinationNames(
      pool,
      [...judged.open, ...judged.findings].flatMap(({ destinationId }) => destinationId ?? []),
    );
    const findings = Map.groupBy(judged.findings, ({ workspaceId }) => workspaceId);
    const open = Map.groupBy(judged.open, ({ workspaceId }) => workspaceId);
    const scopes = new Map(judged.open.map(({ id, workspaceId }) => [id, workspaceId]));
    const over = Map.groupBy(judged.over, ({ alarmId }) => scopes.get(alarmId));
    const seen: Updated[] = [];
    for (const id of new Set([...findings.keys(), ...open.keys()])) {
      const settings = settingsOf(id, workspaces);
      if (settings === null) continue;
      const ofScope = open.get(id) ?? [];
      const around = { workspace: id === null ? null : (workspaces.get(id) ?? null), destinations };
      const verdicts = { findings: findings.get(id) ?? [], over: over.get(id) ?? [] };
      const changes = changesOf(ofScope, verdicts, around);
      const scope: Scope = { id, settings, now };
      if (!isTold(changes, ofScope, scope)) {
        seen.push(...changes.updated);
        continue;
      }
      await this.#guarded(id, stopping, async () => {
        for (const kind of await apply(this.#applyDeps, scope, changes, ofScope)) meter.onOpened(kind);
      });
    }
    await this.#guarded(null, stopping, () => applySeen(this.#applyDeps, seen, now));
  }

  /** A workspace whose alarms cannot be written must not hold up the others: its turn comes again in a minute. */
  async #guarded(id: AlarmScope, stopping: AbortSignal, work: () => Promise<void>): Promise<void> {
    if (stopping.aborted) return;
    try {
      await work();
    } catch (err) {
      if (err instanceof WatchLost) throw err;
      this.#deps.log.warn({ err, workspace_id: id }, 'alarms of a workspace not written; trying again');
    }
  }

  get #applyDeps(): ApplyDeps {
    const { pool, randomness, mail } = this.#deps;
    return { pool, randomness, instanceId: this.#instanceId, hasMail: mail.isOn };
  }
}

/** Null if nothing is known about the workspace. */
function settingsOf(id: AlarmScope, workspaces: Judged['workspaces']): AlarmSettings | null {
  return id === null ? defaultAlarmSettings : (workspaces.get(id)?.settings ?? null);
}
