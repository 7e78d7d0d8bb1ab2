import { getRouteApi, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { HeldFilters, HeldSelection } from '../../api/held-queries.ts';
import type { HeldSearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const page = getRouteApi('/signed-in/w/$workspaceId/tokens/diagnostics/held');
const filterNames = ['reason', 'form_id', 'class', 'state'] as const;

const withoutUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Every filter is in the URL, so that a link or the back button restores the same view. */
export function useHeldSearch() {
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: HeldSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), resetScroll: false });
  const { reason, form_id, class: heldClass, state } = search;
  const matching = withoutUndefined({ reason, form_id, class: heldClass });
  return {
    search,
    change,
    clear: () => change(Object.fromEntries(filterNames.map((name) => [name, undefined]))),
    isFiltered: filterNames.some((name) => search[name] !== undefined),
    // Only what is still held can be decided.
    isOfHeld: state === undefined || state === 'held',
    // A URL can hold anything; the API refuses what is not a filter.
    filters: { ...matching, ...withoutUndefined({ state }) } as HeldFilters,
    matching: matching as HeldSelection,
  };
}

/** The request in the drawer has its own URL, which keeps the filters. */
export function useOpenHeld() {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const router = useRouter();
  const openId = useParams({ strict: false }).heldId;
  return {
    openId,
    open(heldId: string) {
      void navigate({
        to: '/w/$workspaceId/tokens/diagnostics/held/$heldId',
        params: { workspaceId, heldId },
        search: true,
        resetScroll: false,
        state: { isFromList: true },
      });
    },
    close() {
      if (router.state.location.state.isFromList === true) router.history.back();
      else
        void navigate({
          to: '/w/$workspaceId/tokens/diagnostics/held',
          params: { workspaceId },
          search: true,
          resetScroll: false,
          replace: true,
        });
    },
  };
}
