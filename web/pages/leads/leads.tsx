import { Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { LeadFilterInput } from '../../../src/contract/leads/lead.ts';
import { fileAddress } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { areShortcutsOn } from '../../parts/keys/use-keys.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { undoMark } from './lead/marking.tsx';
import { useLeadSearch } from './lead-address.ts';
import { LeadFilters } from './lead-filters.tsx';
import { SearchProgress, useLeadList } from './lead-list.tsx';
import { NoLeads } from './no-leads.tsx';
import { ColumnChooser } from './table/column-chooser.tsx';
import { LeadTable } from './table/lead-table.tsx';
import { useLeadColumns } from './table/use-columns.ts';
import { useNewLeads } from './use-new-leads.ts';

export function Leads() {
  const workspaceId = useWorkspaceId();
  const { filters, search, isFiltered, clear } = useLeadSearch();
  const { query, leads, searchedTo, isSearching, hasMore, searchOn } = useLeadList(workspaceId, filters);
  const news = useNewLeads(workspaceId, filters);
  // Also while a lead is open.
  useHotkeys([['u', () => areShortcutsOn() && undoMark()]]);
  const forms = useQuery(formsQuery(workspaceId));
  const progress = searchedTo !== null && (
    <SearchProgress searchedTo={searchedTo} isSearching={isSearching} onSearchOn={searchOn} />
  );
  const columns = useLeadColumns(leads, forms.data?.items ?? [], search.form_id);
  // The forms name the columns: without them the table would show others and change a moment later.
  const isPending = query.isPending || (leads.length > 0 && forms.isPending);
  return (
    <>
      <PageHeader title="Leads" text="All accepted submissions, newest first.">
        <Box visibleFrom="sm">
          <ColumnChooser columns={columns} />
        </Box>
        <ExportMenu workspaceId={workspaceId} filters={filters} />
      </PageHeader>
      <LeadFilters />
      {query.error && leads.length === 0 && (
        <Failure error={query.error} retry={() => void query.refetch()} />
      )}
      {isPending && <Loading rows={8} />}
      {query.data && leads.length === 0 && isFiltered && (
        <Empty
          icon="search"
          title={searchedTo === null ? 'No leads match these filters' : 'No matches so far'}
          text={searchedTo === null ? 'Clear the filters to see all leads.' : progress}
        >
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        </Empty>
      )}
      {query.data && leads.length === 0 && !isFiltered && <NoLeads />}
      {leads.length > 0 && !isPending && (
        <Stack gap="xs">
          <LeadTable
            leads={leads}
            forms={forms.data?.items ?? []}
            columns={columns}
            news={news}
            hasMore={hasMore}
            isStale={query.isPlaceholderData}
            onMore={() => !query.isFetching && void query.fetchNextPage()}
          />
          {progress}
          <Text size="xs" c="dimmed" role="status">
            {leads.length} {countText(hasMore, searchedTo)} · J and K to move, Enter to open, / to search
          </Text>
        </Stack>
      )}
      <Outlet />
    </>
  );
}

function countText(hasMore: boolean, searchedTo: string | null): string {
  if (searchedTo !== null) return 'found so far';
  return hasMore ? 'loaded; scroll for more' : 'in total';
}

function ExportMenu({ workspaceId, filters }: { workspaceId: string; filters: LeadFilterInput }) {
  const address = (format: 'csv' | 'ndjson') =>
    fileAddress('/workspaces/:workspace_id/leads/export', {
      params: { workspace_id: workspaceId },
      query: { ...filters, format },
    });
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={15} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All leads that match the filters</Menu.Label>
        <Menu.Item component="a" href={address('csv')} download>
          <ExportChoice name="CSV" text="For spreadsheets. Values that could run as formulas are escaped." />
        </Menu.Item>
        <Menu.Item component="a" href={address('ndjson')} download>
          <ExportChoice name="NDJSON" text="For programs. One complete lead per line." />
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ExportChoice({ name, text }: { name: string; text: string }) {
  return (
    <Group gap={0}>
      <Text size="sm" fw={550} w="100%">
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}
