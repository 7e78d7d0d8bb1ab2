import { Box, Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ApiKey } from '../../../src/contract/workspaces/api-keys.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import type { IconName } from '../../parts/icons.tsx';
import { Icon } from '../../parts/icons.tsx';
import { PastToggle } from '../../parts/lists/past-toggle.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Tag, type Tone } from '../../parts/tag.tsx';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { CreateApiKey } from './create-api-key.tsx';
import { RevokeApiKey } from './revoke-api-key.tsx';

const page = getRouteApi('/signed-in/w/$workspaceId/api-keys');
const dayMs = 86_400_000;

export function ApiKeys() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const keys = useQuery(apiKeysQuery(workspaceId));
  const [isCreating, create] = useDisclosure();
  // The dialog is outside the table, which is fetched again all the time: a new key must not vanish before it is copied.
  const close = () => {
    create.close();
    void queryClient.invalidateQueries({ queryKey: apiKeysQuery(workspaceId).queryKey });
  };
  const button = (
    <Button leftSection={<Icon name="plus" />} onClick={create.open}>
      Create API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        text="For programs that read or manage this workspace. Each key has only the permissions you choose."
      >
        {button}
      </PageHeader>
      <Settled>
        <Loaded query={keys}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                icon="plug"
                title="No API keys yet"
                text="Create one for Zapier, a script or your own service. To send leads, use an ingest token instead."
              >
                {button}
              </Empty>
            ) : (
              <KeyTable keys={items} />
            )
          }
        </Loaded>
      </Settled>
      <CreateApiKey opened={isCreating} onClose={close} />
    </>
  );
}

function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const { show } = page.useSearch();
  const isUsable = ({ status }: ApiKey) => status === 'active';
  const past = keys.filter((key) => !isUsable(key)).length;
  const shown = show === 'all' ? keys : keys.filter(isUsable);
  return (
    <>
      <Box className="panel">
        <StackedTable minWidth={820}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Key</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Scopes</Table.Th>
                <Table.Th miw={100}>Last used</Table.Th>
                <Table.Th>Created by</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </Table.Tbody>
          </Table>
        </StackedTable>
      </Box>
      <PastToggle count={past} noun="key" show={show} />
    </>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, hint, scopes, status, expires_at, last_used_at } = apiKey;
  return (
    <Table.Tr>
      <Table.Td maw={240}>
        <Text size="sm" fw={580} className="wrap">
          {name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {hint}
        </Text>
        {status === 'active' && expires_at !== null && (
          <Text size="xs" mt={2} c="dimmed" component="div">
            Expires <TimeUntil time={expires_at} size="xs" />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Status apiKey={apiKey} />
      </Table.Td>
      <Table.Td maw={300} data-grows>
        <Text size="sm">{scopes.join(', ')}</Text>
      </Table.Td>
      <Table.Td data-label="Last used">
        {last_used_at === null ? (
          <Text size="sm" c="dimmed">
            Never
          </Text>
        ) : (
          <TimeAgo time={last_used_at} />
        )}
      </Table.Td>
      <Table.Td maw={180} miw={110} data-label="Created by">
        <Creator creator={apiKey.created_by} />
      </Table.Td>
      <Table.Td ta="right">{status === 'active' && <RevokeApiKey apiKey={apiKey} />}</Table.Td>
    </Table.Tr>
  );
}

/** The key outlives them, so that a program does not stop when someone leaves. */
function Creator({ creator }: { creator: ApiKey['created_by'] }) {
  if (creator === null) return <Text size="sm">The operator</Text>;
  return (
    <>
      <Text size="sm" className="wrap">
        {creator.name}
      </Text>
      {!creator.is_member && (
        <Text size="xs" c="dimmed">
          No longer a member
        </Text>
      )}
    </>
  );
}

/** One status per row, the most urgent that applies; never by colour alone. */
function statusOf({ status, expires_at, last_used_at }: ApiKey): [string, Tone, IconName] {
  if (status === 'revoked') return ['Revoked', 'quiet', 'ban'];
  if (status === 'expired') return ['Expired', 'quiet', 'clock'];
  if (expires_at !== null && Date.parse(expires_at) - Date.now() < dayMs)
    return ['Expires soon', 'warning', 'clock'];
  if (last_used_at === null) return ['Not used yet', 'quiet', 'clock'];
  if (Date.now() - Date.parse(last_used_at) > 30 * dayMs) return ['Idle', 'quiet', 'clock'];
  return ['In use', 'good', 'check'];
}

function Status({ apiKey }: { apiKey: ApiKey }) {
  const [word, tone, icon] = statusOf(apiKey);
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  );
}
