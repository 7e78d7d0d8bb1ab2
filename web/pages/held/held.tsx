import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { heldDecisionsQuery, heldListQuery, heldSummaryQuery } from '../../api/held-queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Empty, Failure, Loaded, Loading, NotLoadedYet } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { DiagnosticsHeader } from '../diagnostics/diagnostics-header.tsx';
import { DecisionsProgress } from './decisions/decisions-progress.tsx';
import { useHeldSearch } from './held-address.ts';
import { HeldFilterBar } from './held-filters.tsx';
import { HeldSummaryText } from './held-summary.tsx';
import { HeldTable } from './held-table.tsx';
import { stateNames } from './held-words.ts';

/** Rejected requests that are kept, and what to do with them. */
export function HeldPage() {
  return (
    <>
      <DiagnosticsHeader tab="held" />
      <Settled rows={6}>
        <Summary />
        <HeldFilterBar />
        <HeldList />
      </Settled>
      <Outlet />
    </>
  );
}

function Summary() {
  const workspaceId = useWorkspaceId();
  const { search, change } = useHeldSearch();
  const summary = useQuery(heldSummaryQuery(workspaceId));
  const decisions = useQuery(heldDecisionsQuery(workspaceId));
  const shown = decisions.data?.items.filter(
    ({ id, state }) => state === 'running' || id === search.decision,
  );
  return (
    <>
      <Loaded query={summary} rows={1}>
        {(data) => <HeldSummaryText summary={data} />}
      </Loaded>
      <DecisionsProgress decisions={shown ?? []} onHide={() => change({ decision: undefined })} />
    </>
  );
}

function HeldList() {
  const workspaceId = useWorkspaceId();
  const { filters, isOfHeld } = useHeldSearch();
  const query = useInfiniteQuery(heldListQuery(workspaceId, filters));
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  if (query.data === undefined && query.isPaused) return <NotLoadedYet />;
  if (query.error && rows.length === 0)
    return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined || (rows.length === 0 && query.isPlaceholderData)) return <Loading rows={6} />;
  if (rows.length === 0) return <NoneHeld />;
  return (
    <Stack gap={0} opacity={query.isPlaceholderData ? 0.6 : 1}>
      <HeldTable
        // What was selected belongs to one view.
        key={JSON.stringify(filters)}
        rows={rows}
        hasMore={query.hasNextPage}
        canDecide={isOfHeld}
      />
      <MoreButton label="Show older requests" query={query} />
      <Text size="xs" c="dimmed" mt="xs" role="status">
        {rows.length} {query.hasNextPage ? 'loaded' : 'in this list'}
      </Text>
    </Stack>
  );
}

function NoneHeld() {
  const { search, matching, clear, isFiltered, isOfHeld } = useHeldSearch();
  const isNarrowed = Object.keys(matching).length > 0;
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title="No requests match these filters"
        text={
          isOfHeld || isNarrowed
            ? 'Clear the filters to see everything that is held.'
            : `Nothing is ${(stateNames[search.state as 'admitted'] ?? 'like this').toLowerCase()} any longer, or yet: decided requests are listed until their time is over.`
        }
      >
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      </Empty>
    );
  return (
    <Empty
      icon="check"
      title="Nothing is held"
      text="When a request is rejected although its sender is known, for example because a form is inactive or a limit is reached, it is kept here for some days. You then decide whether it becomes a lead."
    />
  );
}
