import { Box, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { allWorkspacesQuery, healthQuery, unattributedQuery } from '../../api/queries.ts';
import { CreateWorkspace } from '../../parts/dialogs/create-workspace.tsx';
import { Icon } from '../../parts/icons.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { numberText } from '../../parts/numbers.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { OperatorAuditLog } from '../workspace/audit-log.tsx';
import { SuspendButton } from '../workspace/suspension.tsx';
import { FormerSlugCard } from './former-slug-card.tsx';
import { PasswordLinkCard } from './password-link-card.tsx';
import { PeopleCard } from './people-card.tsx';
import { WorkspaceCreationCard } from './workspace-creation-card.tsx';

export function Operator() {
  const [isCreating, creating] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Operator"
        text="All workspaces, rejections without a workspace, and the health of this instance."
      >
        <Button leftSection={<Icon name="plus" />} onClick={creating.open}>
          Create workspace
        </Button>
        <CreateWorkspace opened={isCreating} onClose={creating.close} />
      </PageHeader>
      <Stack gap="lg">
        <Workspaces />
        <Unattributed />
        <Health />
        <WorkspaceCreationCard />
        <PeopleCard />
        <PasswordLinkCard />
        <FormerSlugCard />
        <OperatorAuditLog />
      </Stack>
    </>
  );
}

function Workspaces() {
  const query = useQuery(allWorkspacesQuery);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Workspaces
      </Title>
      <Loaded query={query}>
        {({ items }) => (
          <StackedTable minWidth={480}>
            <Table horizontalSpacing={0}>
              <Table.Tbody>
                {items.map((workspace) => (
                  <Table.Tr key={workspace.id}>
                    <Table.Td>
                      <Text size="sm" fw={550} className="wrap">
                        {workspace.name}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Tag tone={workspace.status === 'active' ? 'good' : 'bad'}>
                        {workspace.status === 'active' ? 'Active' : 'Suspended'}
                      </Tag>
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm" c="dimmed" component="div">
                        Created <TimeAgo time={workspace.created_at} />
                      </Text>
                    </Table.Td>
                    <Table.Td ta="right">
                      <SuspendButton workspace={workspace} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </StackedTable>
        )}
      </Loaded>
    </Box>
  );
}

function Unattributed() {
  const query = useQuery(unattributedQuery);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5">
        Rejections without a workspace
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Last 24 hours: unknown tokens and slugs, and unreadable requests.
      </Text>
      <Loaded query={query} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm">None.</Text>
          ) : (
            items.map(({ surface, reason, text, count, last_at }) => (
              <Group
                key={`${surface} ${reason}`}
                justify="space-between"
                wrap="nowrap"
                py={6}
                className="field"
              >
                <Box>
                  <Text size="sm">{text}</Text>
                  <Text size="xs" c="dimmed" component="div">
                    {reason} · {surface === 'server' ? 'token' : 'webhook'} · last{' '}
                    <TimeAgo time={last_at} size="xs" />
                  </Text>
                </Box>
                <Text fw={620} className="numbers">
                  {numberText(count)}
                </Text>
              </Group>
            ))
          )
        }
      </Loaded>
    </Box>
  );
}

/** Named as in the API: operators see the same names in the metrics. */
function Health() {
  const query = useQuery(healthQuery);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Health of this instance
      </Title>
      <Loaded query={query} rows={2}>
        {(health) => (
          <Box component="dl" className="facts">
            {Object.entries(health).flatMap(([part, values]) =>
              Object.entries((values ?? {}) as Record<string, unknown>).map(([name, value]) => (
                <Value key={`${part}.${name}`} name={`${part} ${name}`.replaceAll('_', ' ')} value={value} />
              )),
            )}
          </Box>
        )}
      </Loaded>
    </Box>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'number' ? numberText(value) : value === null ? 'unknown' : String(value);
  return (
    <>
      <dt>{name}</dt>
      <dd className="numbers">{text}</dd>
    </>
  );
}
