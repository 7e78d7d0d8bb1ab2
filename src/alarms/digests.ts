import { countTold, insertNotice, listCollected, markCollected } from '../db/alarms/alarm-notices.ts';
import { listAlarmsById } from '../db/alarms/alarms.ts';
import { type Alarm, subjectKey } from '../domain/alarm/alarm.ts';
import { toldDigest } from '../domain/alarm/told.ts';
import { type ApplyDeps, noteEvent, type Scope, whileWatching } from './apply.ts';
import { countedSince, emailStateOf, hasRoom, isMuted, worst } from './tell.ts';

/** One message about all that was collected for now. While the hour has no room, it waits. */
export function sendDigest(deps: ApplyDeps, scope: Scope): Promise<void> {
  const { id: workspaceId, settings, now } = scope;
  return whileWatching(deps, now, async (client) => {
    const collected = await listCollected(client, workspaceId, now);
    const alarms = await listAlarmsById(client, [...new Set(collected.map(({ alarmId }) => alarmId))]);
    const listed = alarms.filter((alarm) => isListed(alarm, scope));
    const told = await countTold(client, workspaceId, countedSince(now));
    if (listed.length > 0 && !hasRoom(told, worst(listed))) return;
    const listedIds = new Set(listed.map(({ id }) => id));
    const noticeIds = (isIn: boolean) =>
      collected.filter(({ alarmId }) => listedIds.has(alarmId) === isIn).map(({ id }) => id);
    await markCollected(client, noticeIds(false), 'muted', null);
    if (listed.length === 0) return;
    const id = deps.randomness.uuid();
    const content = toldDigest(newestOf(listed));
    await insertNotice(client, {
      ...{ id, workspaceId, alarmId: null, what: 'digest', at: now, state: 'told', digestAt: null, content },
      emailState: emailStateOf(settings, deps.hasMail),
    });
    await markCollected(client, noticeIds(true), 'digested', id);
    await noteEvent(client, workspaceId, 'digest', { at: now, content });
  });
}

/** Not what was muted, turned off or superseded since. */
function isListed(alarm: Alarm, { settings, now }: Scope): boolean {
  const isOver = alarm.closedAs === 'removed' || alarm.closedAs === 'superseded';
  return !isOver && !isMuted(alarm, settings, now);
}

/** What has opened and closed several times is one entry. The oldest come first. */
function newestOf(alarms: readonly Alarm[]): Alarm[] {
  return [...new Map(alarms.map((alarm) => [subjectKey(alarm), alarm])).values()];
}
