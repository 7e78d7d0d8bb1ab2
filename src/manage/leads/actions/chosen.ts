import type pg from 'pg';
import { leadFilterQuery } from '../../../contract/leads/lead.ts';
import type { Position } from '../../../db/keyset.ts';
import { countChosen, findChosen } from '../../../db/leads/actions/chosen-leads.ts';
import type { LeadActionRecord, Progress } from '../../../db/leads/actions/lead-actions.ts';
import { listMarkedBy } from '../../../db/leads/actions/marked-many.ts';
import { type LeadFilter, readsEachLead } from '../../../db/leads/lead-filter.ts';
import type { Clock } from '../../../time/clock.ts';
import { leadQuery } from '../lead-query.ts';

const countedMsMax = 500;
/** What the index decides on is quick to count. */
const countedMax = 500_000;
/** A sender may have filled each with 128 KB of text, through which a statement looks. */
const readAtFirst = 1_000;
const readPerStep = 2_000;
const readPerStretchMax = 10_000;
const quickMs = 50;

export interface Counted {
  readonly count: number;
  /** False if there are at least as many. */
  readonly isExact: boolean;
}

/** How many leads match, as far as they can be counted in half a second. */
export async function countMatching(
  { pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock },
  workspaceId: string,
  filter: LeadFilter,
): Promise<Counted> {
  const deadline = clock.now() + countedMsMax;
  const limit = readsEachLead(filter) ? readPerStretchMax : countedMax;
  let count = 0;
  let readMax = readAtFirst;
  for (let after: Position | null = null; ; ) {
    const startedAt = clock.now();
    const stretch = { after, limit, readMax };
    const found = await countChosen(pool, workspaceId, filter, stretch);
    count += found.count;
    if (found.next === null) return { count, isExact: count < countedMax };
    const now = clock.now();
    if (now >= deadline) return { count, isExact: false };
    if (now - startedAt <= quickMs) readMax = Math.min(readPerStretchMax, 2 * readMax);
    after = found.next;
  }
}

/** A filter as it was sent, by the rules of the list. */
export async function filterOf(
  pool: pg.Pool,
  workspaceId: string,
  sent: Readonly<Record<string, string>>,
): Promise<LeadFilter> {
  const asked = { ...leadFilterQuery.parse(sent), sort: 'received', order: 'desc' } as const;
  return (await leadQuery(pool, workspaceId, asked)).filter;
}

export interface Portion extends Pick<Progress, 'after' | 'isFinished'> {
  readonly ids: readonly string[];
}

/** The next leads of an action. There may be none, and more after them. */
export async function nextPortion(
  pool: pg.Pool,
  action: LeadActionRecord,
  leadsMax: number,
): Promise<Portion> {
  const { workspaceId, selection, undoes, afterId } = action;
  if (undoes !== null)
    return byId(await listMarkedBy(pool, workspaceId, undoes, afterId, leadsMax), leadsMax);
  if (selection?.ids !== undefined) {
    const left = selection.ids.toSorted().filter((id) => afterId === null || id > afterId);
    return byId(left.slice(0, leadsMax), leadsMax);
  }
  return nextMatching(pool, action, leadsMax);
}

function byId(ids: readonly string[], leadsMax: number): Portion {
  const id = ids.at(-1);
  return { ids, after: id === undefined ? null : { at: null, id }, isFinished: ids.length < leadsMax };
}

async function nextMatching(
  pool: pg.Pool,
  { workspaceId, selection, total, isTotalExact, done, afterAt, afterId }: LeadActionRecord,
  leadsMax: number,
): Promise<Portion> {
  // Without a filter it would be all leads.
  if (selection?.filter === undefined) throw new Error('an action on many leads has no selection');
  const filter = await filterOf(pool, workspaceId, selection.filter);
  // Nobody has agreed to more than were counted.
  const left = isTotalExact ? total - done : leadsMax;
  const limit = Math.min(left, leadsMax);
  if (limit <= 0) return { ids: [], after: null, isFinished: true };
  const after = afterAt === null || afterId === null ? null : { at: afterAt, id: afterId };
  const { leads, next } = await findChosen(pool, workspaceId, filter, {
    after,
    limit,
    readMax: readPerStep,
  });
  return { ids: leads.map(({ id }) => id), after: next, isFinished: next === null };
}
