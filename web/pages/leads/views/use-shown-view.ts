import { useQuery } from '@tanstack/react-query';
import type { LeadView } from '../../../../src/contract/leads/views.ts';
import type { LeadSearch } from '../../../search.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { leadViewsQuery } from './view-queries.ts';
import { isSameSearch, searchOfView } from './view-search.ts';

/** As they were last seen: who looks at a view that someone deletes keeps its filters. */
const lastSeen = new Map<string, LeadView>();

export interface ShownView {
  /** The view in the URL, also if it was deleted meanwhile. */
  readonly view: LeadView | undefined;
  /**
   * none      the URL names no view
   * loading   it is not known yet what to show
   * failed    the views could not be read
   * shown     its filters, or those that were changed in the URL, are shown
   * deleted   as before, but nobody else can open it any more
   * missing   there is no such view
   */
  readonly state: 'none' | 'loading' | 'failed' | 'shown' | 'deleted' | 'missing';
  /** The filters to show. */
  readonly search: LeadSearch;
  /** The filters in the URL differ from those of the view. */
  readonly isEdited: boolean;
}

/** The view that the URL names, and the filters that follow from both. */
export function useShownView(given: LeadSearch): ShownView {
  const { view: viewId, edited, ...ofAddress } = given;
  const views = useQuery(leadViewsQuery(useWorkspaceId()));
  if (viewId === undefined) return { view: undefined, state: 'none', search: ofAddress, isEdited: false };
  const found = views.data?.items.find(({ id }) => id === viewId);
  if (found !== undefined) lastSeen.set(viewId, found);
  const view = found ?? lastSeen.get(viewId);
  const isEdited = edited !== undefined;
  const search = isEdited || view === undefined ? ofAddress : searchOfView(view);
  return { view, state: stateOf(views, found, view), search, isEdited };
}

function stateOf(
  { data, isError }: { readonly data: unknown; readonly isError: boolean },
  found: LeadView | undefined,
  view: LeadView | undefined,
): ShownView['state'] {
  if (found !== undefined) return 'shown';
  if (data === undefined) return isError ? 'failed' : 'loading';
  return view === undefined ? 'missing' : 'deleted';
}

/** The URL for other filters. It names the view for as long as there is one to save or go back to. */
export function addressWith({ view, state }: ShownView, search: LeadSearch): LeadSearch {
  if (view === undefined || state === 'missing') return search;
  if (state === 'shown' && isSameSearch(search, searchOfView(view))) return { view: view.id };
  return { ...search, view: view.id, edited: '1' };
}
