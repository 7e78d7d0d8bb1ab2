import type { Tables } from '../tables.ts';
import { leadOf } from './deliver-model.ts';
import { type DeliveryRow, untried } from './deliver-rows.ts';

const deliveriesPerStep = 500;

/** replaySome of src/db/deliver/replay-work.ts. */
export function replaySome(tables: Tables, now: number, newId: () => string): boolean {
  const { deliver } = tables;
  const replay = [...deliver.replays.values()].find(({ isFinished }) => !isFinished);
  if (replay === undefined) return false;
  const chosen = replayable(tables, replay.workspaceId, replay.lastId)
    .filter(({ id }) => replay.afterId === null || id > replay.afterId)
    .slice(0, deliveriesPerStep);
  for (const row of chosen) {
    const isKnown = [...deliver.deliveries.values()].some(
      ({ replayOf, replayId }) => replayOf === row.id && replayId === replay.id,
    );
    if (!isKnown) insertReplayed(tables, row, newId(), now, replay.id);
    deliver.wake(row.destinationId, now);
  }
  deliver.replays.set(replay.id, {
    ...replay,
    afterId: chosen.at(-1)?.id ?? replay.afterId,
    done: replay.done + chosen.length,
    isFinished: chosen.length < deliveriesPerStep,
  });
  return true;
}

/** Of src/db/deliver/delivery-replays.ts, in the order of their ids. */
function replayable(tables: Tables, workspaceId: string, lastId: string): DeliveryRow[] {
  const { deliveries, destinations } = tables.deliver;
  const old = [...deliveries.values()].filter((row) => row.workspaceId === workspaceId && row.id <= lastId);
  return old
    .filter(({ id, state, destinationId, event }) => {
      if (state === 'pending' || !destinations.has(destinationId)) return false;
      const hasLead = leadOf(tables, workspaceId, event.submissionId) !== null;
      const isLater = (other: DeliveryRow) =>
        other.id > id &&
        other.destinationId === destinationId &&
        other.event.number === event.number &&
        other.event.submissionId !== null;
      return (event.type === 'lead.erased' || hasLead) && !old.some(isLater);
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

export function insertReplayed(
  { deliver }: Tables,
  { workspaceId, destinationId, event, id: replayOf }: DeliveryRow,
  id: string,
  nextAt: number,
  replayId: string | null,
): void {
  deliver.deliveries.set(id, {
    ...{ workspaceId, id, destinationId, event, nextAt, replayOf, replayId },
    ...untried,
  });
}
