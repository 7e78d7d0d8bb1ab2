import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { AnswerOf, Calls } from '../../../src/contract/calls.ts';
import type { LeadHistory } from '../../../src/contract/leads/history.ts';
import type { Lead } from '../../../src/contract/leads/lead.ts';

export type LeadPage = AnswerOf<Calls['GET'], '/workspaces/:workspace_id/leads'>;
export type LeadPages = InfiniteData<LeadPage, string | undefined>;
type ListedLead = LeadPage['items'][number];
type MarkPages = InfiniteData<
  AnswerOf<Calls['GET'], '/workspaces/:workspace_id/leads/:submission_id/marks'>,
  string | undefined
>;

const listKey = (w: string) => ['leads', w, 'list'];
const keysOf = (w: string, id: string) => ['one', 'history', 'marks'].map((what) => ['leads', w, what, id]);

/** Leads that were marked here stay in a filtered list until it is loaded again, so that the next one is where it was. */
const markedHere = new Set<string>();
export const wasMarkedHere = (id: string) => markedHere.has(id);

/** Shows a new mark wherever the lead is loaded, without fetching anything. */
export function showMark(queryClient: QueryClient, w: string, lead: Lead, by: string): void {
  const id = lead.submission_id;
  const mark = lead.mark ?? { mark: null, at: new Date().toISOString(), by };
  markedHere.add(id);
  const { verdict, scored_verdict, score, grade, risk } = lead;
  const marked = { verdict, scored_verdict, score, grade, risk, mark: lead.mark };
  changePages(queryClient, w, (item) => (item.submission_id === id ? { ...item, ...marked } : item));
  dropOutdated(queryClient, w);
  queryClient.setQueryData<Lead>(['leads', w, 'one', id], lead);
  queryClient.setQueryData<LeadHistory>(
    ['leads', w, 'history', id],
    (history) => history && { ...history, items: [{ kind: 'marked', ...mark }, ...history.items] },
  );
  queryClient.setQueryData<MarkPages>(['leads', w, 'marks', id], (marks) => marks && withFirst(marks, mark));
}

/** Removes an erased lead wherever it is loaded. */
export function removeLead(queryClient: QueryClient, w: string, id: string): void {
  changePages(queryClient, w, (item) => (item.submission_id === id ? null : item));
  for (const queryKey of keysOf(w, id)) queryClient.removeQueries({ queryKey });
  queryClient.removeQueries({ queryKey: ['leads', w, 'score', id] });
  queryClient.removeQueries({ queryKey: ['leads', 'body', id] });
}

function changePages(
  queryClient: QueryClient,
  w: string,
  change: (item: ListedLead) => ListedLead | null,
): void {
  queryClient.setQueriesData<LeadPages>(
    { queryKey: listKey(w) },
    (data) => data && { ...data, pages: data.pages.map((page) => changed(page, change)) },
  );
  queryClient.setQueryData<LeadPage>(['leads', w, 'newest'], (page) => page && changed(page, change));
}

/** Pages without a change stay the same objects, so that nothing is drawn again. */
function changed(page: LeadPage, change: (item: ListedLead) => ListedLead | null): LeadPage {
  const items = page.items.map(change);
  const isSame = items.every((item, i) => item === page.items[i]);
  return isSame ? page : { ...page, items: items.filter((item) => item !== null) };
}

/** Lists by verdict, mark or score that are not on screen: the lead may now belong in them. */
function dropOutdated(queryClient: QueryClient, w: string): void {
  queryClient.removeQueries({
    queryKey: listKey(w),
    type: 'inactive',
    predicate: ({ queryKey }) => {
      const { verdict, mark, where, sort } = queryKey[3] as Readonly<Record<string, string | undefined>>;
      return [verdict, mark, where, sort].some((value) => value !== undefined);
    },
  });
}

function withFirst(marks: MarkPages, mark: MarkPages['pages'][number]['items'][number]): MarkPages {
  const [first, ...others] = marks.pages;
  if (first === undefined) return marks;
  return { ...marks, pages: [{ ...first, items: [mark, ...first.items] }, ...others] };
}
