import { getRouteApi, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { DeliveryFilters } from '../../api/destination-queries.ts';
import { dayStart } from '../../parts/lists/day-input.tsx';
import type { DeliverySearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const page = getRouteApi('/signed-in/w/$workspaceId/deliveries');
const filterNames = ['destination_id', 'state', 'submission_id', 'from', 'to'] as const;

/** Every filter is in the URL, so that a link or the back button restores the same view. */
export function useDeliverySearch() {
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: DeliverySearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), resetScroll: false });
  const { destination_id, state, submission_id, from, to } = search;
  const given = { destination_id, state, submission_id, from: dayStart(from, 0), to: dayStart(to, 1) };
  return {
    search,
    change,
    clear: () => change(Object.fromEntries(filterNames.map((name) => [name, undefined]))),
    isFiltered: filterNames.some((name) => search[name] !== undefined),
    // A URL can hold anything; the API refuses what is not a filter.
    filters: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as DeliveryFilters,
  };
}

/** The delivery in the drawer has its own URL, which keeps the filters. */
export function useOpenDelivery() {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const router = useRouter();
  const openId = useParams({ strict: false }).deliveryId;
  return {
    openId,
    open(deliveryId: string) {
      void navigate({
        to: '/w/$workspaceId/deliveries/$deliveryId',
        params: { workspaceId, deliveryId },
        search: true,
        resetScroll: false,
        // From one delivery to another, one step back is still the list.
        replace: openId !== undefined,
        state: { isFromList: openId === undefined || router.state.location.state.isFromList === true },
      });
    },
    close() {
      if (router.state.location.state.isFromList === true) router.history.back();
      else
        void navigate({
          to: '/w/$workspaceId/deliveries',
          params: { workspaceId },
          search: true,
          resetScroll: false,
          replace: true,
        });
    },
  };
}
