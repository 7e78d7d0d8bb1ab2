import type pg from 'pg';
import {
  countTold,
  deleteCollected,
  findToldBefore,
  insertNotice,
  listTold,
} from '../db/alarms/alarm-notices.ts';
import { holdsWatch } from '../db/alarms/alarm-watch.ts';
import {
  type AlarmScope,
  type AlarmUpdate,
  closeAlarms,
  countReminder,
  openAlarm,
  updateAlarms,
} from '../db/alarms/alarms.ts';
import { inTransaction } from '../db/pool.ts';
import { noteLead } from '../db/relay/outbox.ts';
import {
  type Alarm,
  type AlarmEnd,
  type AnyAlarmKind,
  alarmEnds,
  alarmSeverities,
} from '../domain/alarm/alarm.ts';
import type { NoticeWhat } from '../domain/alarm/notice.ts';
import type { AlarmSettings } from '../domain/alarm/settings.ts';
import { type ToldContent, toldAlarm } from '../domain/alarm/told.ts';
import type { Randomness } from '../time/randomness.ts';
import type { Changes, Updated } from './decide.ts';
import {
  countedSince,
  isEndTold,
  isReminderDue,
  quietSince,
  remindersDue,
  riseOf,
  tellingOf,
  worse,
} from './tell.ts';

export interface ApplyDeps {
  readonly pool: pg.Pool;
  readonly randomness: Pick<Randomness, 'uuid'>;
  readonly instanceId: string;
  readonly hasMail: boolean;
}

/** Another instance judges now, so this one must not write anything more. */
export class WatchLost extends Error {
  constructor() {
    super('another instance judges alarms');
  }
}

/** One workspace, or the instance. */
export interface Scope {
  readonly id: AlarmScope;
  readonly settings: AlarmSettings;
  readonly now: Date;
}

/** Work of the instance that judges: in one transaction, during which no other instance can begin to judge. */
export function whileWatching<T>(
  { pool, instanceId }: Pick<ApplyDeps, 'pool' | 'instanceId'>,
  now: Date,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    if (!(await holdsWatch(client, instanceId, now))) throw new WatchLost();
    return work(client);
  });
}

/**
 * Changes the alarms of one workspace and says so: either all of it happens, or nothing. What has happened meanwhile is left
 * as it is: an alarm that someone else has opened or closed is not told again. Returns the kinds that were opened.
 */
export function apply(
  deps: ApplyDeps,
  scope: Scope,
  changes: Changes,
  open: readonly Alarm[],
): Promise<readonly AnyAlarmKind[]> {
  const { now } = scope;
  return whileWatching(deps, now, async (client) => {
    const teller = new Teller(deps, scope, client);
    await closeAll(client, teller, changes, now);
    await updateAll(client, teller, changes, now);
    const opened: AnyAlarmKind[] = [];
    for (const finding of changes.opened) {
      const alarm = await openAlarm(client, { ...finding, id: deps.randomness.uuid(), openedAt: now });
      if (alarm === null) continue;
      opened.push(alarm.kind);
      await teller.tell('opened', alarm);
    }
    const closed = new Set(changes.closed.map(({ alarm }) => alarm.id));
    for (const alarm of open) {
      if (closed.has(alarm.id) || !isReminderDue(alarm, scope)) continue;
      const reminded = await countReminder(client, alarm, remindersDue(alarm.openedAt, now));
      if (reminded !== null) await teller.tell('reminder', reminded);
    }
    return opened;
  });
}

/** Whether there is anything to tell, or to decide about it. */
export function isTold({ opened, updated, closed }: Changes, open: readonly Alarm[], scope: Scope): boolean {
  const hasRisen = updated.some(({ alarm, finding }) => alarm.severity !== finding.severity);
  return opened.length + closed.length > 0 || hasRisen || open.some((alarm) => isReminderDue(alarm, scope));
}

/** Of alarms of any workspaces about which nothing is told: most minutes there are no others. */
export async function applySeen(deps: ApplyDeps, seen: readonly Updated[], now: Date): Promise<void> {
  if (seen.length === 0) return;
  await whileWatching(deps, now, (client) => updateAlarms(client, seen.map(updateOf), now));
}

async function closeAll(client: pg.PoolClient, teller: Teller, { closed }: Changes, at: Date): Promise<void> {
  const idsOf = (end: AlarmEnd) => closed.filter(({ as }) => as === end).map(({ alarm }) => alarm.id);
  const told =
    closed.length === 0
      ? new Set()
      : await listTold(
          client,
          closed.map(({ alarm }) => alarm.id),
        );
  for (const end of alarmEnds) {
    const ids = idsOf(end);
    if (ids.length === 0) continue;
    for (const alarm of await closeAlarms(client, ids, end, at))
      if (isEndTold(alarm, told.has(alarm.id))) await teller.tell('closed', alarm);
  }
}

function updateOf({ alarm: { id }, finding: { severity, evidence }, names }: Updated): AlarmUpdate {
  return { id, severity, evidence, names };
}

async function updateAll(
  client: pg.PoolClient,
  teller: Teller,
  { updated }: Changes,
  at: Date,
): Promise<void> {
  if (updated.length === 0) return;
  const before = new Map(updated.map(({ alarm }) => [alarm.id, alarm.severity]));
  const risen = (await updateAlarms(client, updated.map(updateOf), at)).filter(
    (alarm) => alarm.severity !== before.get(alarm.id),
  );
  if (risen.length === 0) return;
  const told = await listTold(
    client,
    risen.map(({ id }) => id),
  );
  for (const alarm of risen) {
    const what = riseOf(alarm, before.get(alarm.id) ?? alarm.severity, told.has(alarm.id));
    if (what === null) continue;
    await deleteCollected(client, alarm.id);
    await teller.tell(what, alarm);
  }
}

/** Writes notices of one workspace in a transaction, and the events that destinations get. */
class Teller {
  readonly #deps: ApplyDeps;
  readonly #scope: Scope;
  readonly #client: pg.PoolClient;
  /** How many messages there were in the hour; read with the first. */
  #told: number | null = null;

  constructor(deps: ApplyDeps, scope: Scope, client: pg.PoolClient) {
    this.#deps = deps;
    this.#scope = scope;
    this.#client = client;
  }

  async tell(what: Exclude<NoticeWhat, 'digest'>, alarm: Alarm): Promise<void> {
    const { randomness, hasMail } = this.#deps;
    const { id: workspaceId, settings, now } = this.#scope;
    const told = await this.#toldLately();
    const toldBeforeAt = what === 'opened' ? await this.#toldBeforeAt(alarm) : null;
    const telling = tellingOf(alarm, { settings, now, told, toldBeforeAt, hasMail });
    const content: ToldContent | null = telling.state === 'told' ? { alarm: toldAlarm(alarm) } : null;
    await insertNotice(this.#client, {
      ...telling,
      id: randomness.uuid(),
      workspaceId,
      alarmId: alarm.id,
      what,
      at: now,
      content,
    });
    if (content === null) return;
    this.#told = told + 1;
    await noteEvent(this.#client, workspaceId, what, { at: now, content });
  }

  async #toldLately(): Promise<number> {
    const { id, now } = this.#scope;
    this.#told ??= await countTold(this.#client, id, countedSince(now));
    return this.#told;
  }

  /** One that was less severe does not keep people from being told. */
  async #toldBeforeAt(alarm: Alarm): Promise<Date | null> {
    const severities = alarmSeverities.filter((one) => worse(alarm.severity, one) === one);
    return findToldBefore(this.#client, alarm, severities, quietSince(this.#scope.now));
  }
}

/** Operators have no destinations. */
export async function noteEvent(
  client: pg.PoolClient,
  workspaceId: AlarmScope,
  what: NoticeWhat,
  { at, content }: { readonly at: Date; readonly content: ToldContent },
): Promise<void> {
  if (workspaceId === null) return;
  await noteLead(client, workspaceId, null, { type: `alarm.${what}`, at, data: { ...content } });
}
