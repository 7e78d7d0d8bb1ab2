import { getRouteApi, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { AlarmFilters } from '../../api/alarm-queries.ts';
import type { AlarmSearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const page = getRouteApi('/signed-in/w/$workspaceId/alarms');

const withoutUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Every filter is in the URL, so that a link or the back button restores the same view. */
export function useAlarmSearch() {
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: AlarmSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), resetScroll: false });
  const { state = 'open', kind, form_id } = search;
  return {
    search,
    state,
    change,
    clear: () => change({ kind: undefined, form_id: undefined }),
    isFiltered: kind !== undefined || form_id !== undefined,
    // A URL can hold anything; the API refuses what is not a filter.
    filters: withoutUndefined({ state, kind, form_id }) as AlarmFilters,
  };
}

/** The alarm in the drawer has its own URL, which keeps the filters. */
export function useOpenAlarm() {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const router = useRouter();
  return {
    openId: useParams({ strict: false }).alarmId,
    close() {
      if (router.state.location.state.isFromList === true) router.history.back();
      else
        void navigate({
          to: '/w/$workspaceId/alarms',
          params: { workspaceId },
          search: true,
          resetScroll: false,
          replace: true,
        });
    },
  };
}
