import { Box, SegmentedControl, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces/workspace.ts';
import { allWorkspacesQuery, type WorkspacesAsked } from '../../api/operator-queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { SearchForm } from '../../parts/lists/search-form.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { SuspendButton } from '../workspace/suspension.tsx';

const statuses = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
] as const;

export function WorkspacesTab() {
  const [asked, setAsked] = useState<WorkspacesAsked>({});
  const query = useInfiniteQuery(allWorkspacesQuery(asked));
  const found = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Settled>
      <Box className="panel" p="lg">
        <Title order={2} size="h5" mb="sm">
          Workspaces
        </Title>
        <SearchForm
          label="Find a workspace"
          placeholder="Name or ID"
          charactersMax={200}
          width={300}
          onSearch={(q) => setAsked({ ...asked, q: q || undefined })}
        >
          <SegmentedControl
            aria-label="Status"
            value={asked.status ?? ''}
            data={[...statuses]}
            onChange={(value) =>
              setAsked({
                ...asked,
                status: statuses.find((status) => status.value === value)?.value || undefined,
              })
            }
          />
        </SearchForm>
        {query.isPending && <Loading rows={4} />}
        {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.data && found.length === 0 && (
          <Text size="sm" role="status">
            {asked.q || asked.status ? 'No workspaces match this search.' : 'There are no workspaces yet.'}
          </Text>
        )}
        {found.length > 0 && <Found workspaces={found} />}
        <MoreButton label="Show more workspaces" query={query} />
      </Box>
    </Settled>
  );
}

function Found({ workspaces }: { workspaces: readonly Workspace[] }) {
  return (
    <StackedTable minWidth={480}>
      <Table horizontalSpacing={0}>
        <Table.Tbody>
          {workspaces.map((workspace) => (
            <Row key={workspace.id} workspace={workspace} />
          ))}
        </Table.Tbody>
      </Table>
    </StackedTable>
  );
}

function Row({ workspace }: { workspace: Workspace }) {
  const { id, name, status, suspension, created_at } = workspace;
  return (
    <Table.Tr>
      <Table.Td pr="md">
        <Text size="sm" fw={550} className="wrap" dir="auto">
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {id}
        </Text>
      </Table.Td>
      <Table.Td pr="md">
        <Tag tone={status === 'active' ? 'good' : 'bad'}>{status === 'active' ? 'Active' : 'Suspended'}</Tag>
        {suspension !== null && (
          <Text size="xs" c="dimmed" component="div" className="wrap" maw={260}>
            <TimeAgo time={suspension.since} size="xs" />
            {suspension.by !== null && ` by ${suspension.by === 'operator' ? 'the operator' : suspension.by}`}
            {suspension.reason && <>: {suspension.reason}</>}
          </Text>
        )}
      </Table.Td>
      <Table.Td pr="md">
        <Text size="sm" c="dimmed" component="div">
          Created <TimeAgo time={created_at} />
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <SuspendButton workspace={workspace} />
      </Table.Td>
    </Table.Tr>
  );
}
