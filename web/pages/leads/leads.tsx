import { Box, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { formsQuery } from '../../api/queries.ts';
import { useKeys } from '../../parts/keys/use-keys.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { filterText } from './filters/filter-text.ts';
import { isNewestFirst } from './filters/sorting.ts';
import { useFilterFields } from './filters/use-filter-fields.ts';
import { undoMark } from './lead/marking.tsx';
import { useLeadSearch } from './lead-address.ts';
import { wasMarkedHere } from './lead-cache.ts';
import { SearchProgress, SortProgress, useLeadList } from './lead-list.tsx';
import { NoLeads } from './no-leads.tsx';
import { ActionsProgress } from './selection/actions-progress.tsx';
import { SelectionBar } from './selection/selection-bar.tsx';
import { SelectionProvider, useLeadSelection } from './selection/use-selection.ts';
import { ColumnChooser } from './table/column-chooser.tsx';
import { LeadTable } from './table/lead-table.tsx';
import { useLeadColumns } from './table/use-columns.ts';
import { useNewLeads } from './use-new-leads.ts';
import { ViewBar } from './views/view-bar.tsx';

export function Leads() {
  const workspaceId = useWorkspaceId();
  const { filters, search, shown, rows, isFiltered, isReady, clear } = useLeadSearch();
  const { query, leads, searchedTo, isSearching, preparing, hasMore, searchOn } = useLeadList(
    workspaceId,
    filters,
    isReady,
  );
  const news = useNewLeads(workspaceId, filters);
  const selection = useLeadSelection(
    JSON.stringify([workspaceId, filters]),
    leads.map(({ submission_id }) => submission_id),
    (id) => news.gone.has(id) && !wasMarkedHere(id),
  );
  useKeys({ u: { label: 'Undo the latest mark', press: undoMark, worksInDrawer: true } });
  const forms = useQuery(formsQuery(workspaceId));
  const progress = searchedTo !== null && (
    <SearchProgress
      searchedTo={isNewestFirst(search) ? searchedTo : null}
      isSearching={isSearching}
      onSearchOn={searchOn}
    />
  );
  const columns = useLeadColumns(leads, forms.data?.items ?? [], search.form_id, shown.view);
  const fields = useFilterFields(columns);
  const filterTexts = [
    ...(search.q ? [`text “${search.q}”`] : []),
    ...rows.map((row) => filterText(row, fields, forms.data?.items ?? [])),
  ];
  // The forms name the columns: without them the table would show others and change a moment later.
  const isEmpty = query.data !== undefined && leads.length === 0 && !query.isPlaceholderData;
  const isPending =
    query.isPending ||
    (query.isPlaceholderData && leads.length === 0) ||
    (leads.length > 0 && forms.isPending);
  return (
    <>
      <PageHeader title="Leads" text="All accepted submissions.">
        <Box visibleFrom="sm">
          <ColumnChooser columns={columns} />
        </Box>
        <ExportMenu
          workspaceId={workspaceId}
          filters={filters}
          columns={columns}
          isPreparing={preparing !== null}
        />
      </PageHeader>
      <ViewBar columns={columns} />
      <FilterBar forms={forms.data?.items ?? []} fields={fields} />
      <ActionsProgress />
      {query.error && leads.length === 0 && (
        <Failure error={query.error} retry={() => void query.refetch()} />
      )}
      {isPending && shown.state !== 'failed' && <Loading rows={8} />}
      {isEmpty && isFiltered && (
        <Empty
          icon="search"
          title={searchedTo === null ? 'No leads match these filters' : 'No matches so far'}
          text={searchedTo === null ? `No lead has all of these: ${filterTexts.join(' · ')}.` : progress}
        >
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        </Empty>
      )}
      {isEmpty && !isFiltered && <NoLeads />}
      {leads.length > 0 && !isPending && (
        <Stack gap="xs">
          <SelectionProvider value={selection}>
            <LeadTable
              leads={leads}
              forms={forms.data?.items ?? []}
              columns={columns}
              news={news}
              hasMore={hasMore}
              isStale={query.isPlaceholderData}
              onMore={() => !query.isFetching && void query.fetchNextPage()}
            />
          </SelectionProvider>
          <SelectionBar selection={selection} filters={filters} hasMore={query.hasNextPage} />
          {progress}
          {preparing && <SortProgress preparing={preparing} />}
          <Text size="xs" c="dimmed" role="status">
            {leads.length} {countText(hasMore, searchedTo)} · J and K to move, Enter to open, Space to peek, X
            to select, F to filter, / to search
          </Text>
        </Stack>
      )}
      <Outlet />
    </>
  );
}

function countText(hasMore: boolean, searchedTo: string | null): string {
  if (searchedTo !== null) return 'found so far';
  return hasMore ? 'loaded; scroll for more' : 'in this list';
}
