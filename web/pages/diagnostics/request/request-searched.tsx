import { Button, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { diagnosticsQuery } from '../../../api/queries.ts';
import { rangeLabel } from '../../../parts/charts/time-range.ts';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { useWorkspace, useWorkspaceId } from '../../../shell/workspace.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { Entries } from '../entries.tsx';
import { useSetFilters } from '../filters/set-filters.ts';
import { useLiveOptions } from '../live.ts';
import { Notes } from '../notes.tsx';

/** What is known of one request. Numbers and charts would say nothing about it, so there are none. */
export function RequestSearched() {
  const { rejections } = useDiagnosticsSearch();
  const asked = { ...rejections, limit: 1 };
  const query = useQuery({ ...diagnosticsQuery(useWorkspaceId(), asked), ...useLiveOptions() });
  return (
    <Loaded query={query}>
      {({ items, notes }) =>
        items.length === 0 && notes.length === 0 ? (
          <RequestNotFound />
        ) : (
          <>
            <Notes notes={notes} />
            <Entries />
          </>
        )
      }
    </Loaded>
  );
}

function RequestNotFound() {
  const { search, searchEverywhere } = useDiagnosticsSearch();
  const others = useSetFilters().filter(({ name }) => name !== 'Request');
  const workspace = useWorkspace();
  const isLimited = search.range !== undefined || search.from !== undefined;
  const where = [
    ...others.map(({ name, value }) => `${name.toLowerCase()} ${value}`),
    ...(isLimited ? [rangeLabel(search)] : []),
  ];
  return (
    <Empty
      icon="search"
      title="No rejection with this request ID"
      text={
        where.length > 0 ? (
          `Searched only in: ${where.join(', ')}.`
        ) : (
          <Causes workspace={workspace?.name ?? 'This workspace'} />
        )
      }
    >
      {where.length > 0 && (
        <Button size="xs" variant="default" onClick={searchEverywhere}>
          Search without other filters
        </Button>
      )}
    </Empty>
  );
}

function Causes({ workspace }: { workspace: string }) {
  return (
    <>
      {workspace} has no entry for it. Possible causes:
      <List size="sm" ta="left" mt="xs" spacing={4}>
        <List.Item>
          It named no workspace: its token, slug or public key is mistyped or unknown, or the request was
          unreadable. Only operators can see such rejections.
        </List.Item>
        <List.Item>
          It was accepted: the status of its response is 202. The body has the ID of the lead, which the
          search (Ctrl K) finds.
        </List.Item>
        <List.Item>It was sent to another workspace.</List.Item>
        <List.Item>
          It was one of very many rejections. All of them are counted, but not all have an entry.
        </List.Item>
        <List.Item>It is older than 30 days, or newer than a few seconds.</List.Item>
      </List>
    </>
  );
}
