import { ActionIcon, Box, Collapse, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { CopyIcon } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { surfaceNames } from '../../parts/text/surface-name.ts';
import { exactTime, TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

type Entry = Diagnostics['items'][number];

/** The signature debugger has a verdict on these. */
const isSigned = ({ reason }: Entry) => /^(?:signature|timestamp)_/.test(reason);

export function EntryRow({ entry, names }: { entry: Entry; names: ReadonlyMap<string, string> }) {
  const workspaceId = useWorkspaceId();
  const [isOpen, { toggle }] = useDisclosure();
  const form = entry.form_id === null ? undefined : names.get(entry.form_id);
  const token = entry.token_id === null ? undefined : names.get(entry.token_id);
  return (
    <>
      <Table.Tr>
        <Table.Td pr={0} data-inline>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            onClick={toggle}
            aria-expanded={isOpen}
            aria-label={`Details of request ${entry.request_id}`}
          >
            <Icon name={isOpen ? 'down' : 'right'} size={14} />
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <TimeAgo time={entry.at} />
        </Table.Td>
        <Table.Td>
          <Text size="sm" ff="monospace">
            {entry.reason}
          </Text>
          {isSigned(entry) && entry.form_id !== null && (
            <TextLink
              to="/w/$workspaceId/debugger"
              params={{ workspaceId }}
              search={{ form: entry.form_id, rejection: entry.id }}
              size="xs"
              aria-label={`Debug signature of request ${entry.request_id}`}
            >
              Debug signature
            </TextLink>
          )}
          {entry.is_held && (
            <TextLink
              to="/w/$workspaceId/tokens/diagnostics/held/$heldId"
              params={{ workspaceId, heldId: entry.id }}
              size="xs"
              ml={isSigned(entry) ? 'sm' : 0}
              aria-label={`Open held request ${entry.request_id}`}
            >
              Held
            </TextLink>
          )}
        </Table.Td>
        <Table.Td maw={220}>
          <Text size="sm" className="cut">
            {form ?? '–'}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {surfaceNames[entry.surface]} {token}
          </Text>
        </Table.Td>
        <Table.Td>
          <Group gap={2} wrap="nowrap">
            <Text size="xs" ff="monospace" c="dimmed">
              …{entry.request_id.slice(-12)}
            </Text>
            <CopyIcon value={entry.request_id} label="Copy request ID" />
          </Group>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={5} bg="var(--page)">
            <Collapse expanded={isOpen}>
              <Details entry={entry} names={names} />
            </Collapse>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function Details({ entry, names }: { entry: Entry; names: ReadonlyMap<string, string> }) {
  const details = Object.entries(entry.detail);
  return (
    <Box p="xs">
      <Box component="dl" className="facts">
        <Fact name="Received" value={exactTime(entry.at)} />
        <Fact name="Request ID" value={entry.request_id} />
        {details.map(([name, value]) => (
          <Fact key={name} name={name.replaceAll('_', ' ')} value={detailText(name, value, names)} />
        ))}
      </Box>
    </Box>
  );
}

/** Tokens by name, times in the format of the page, and everything else unchanged. */
function detailText(name: string, value: unknown, names: ReadonlyMap<string, string>): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name === 'replaced_by') return `the newer token ${names.get(value) ?? ''} (${value})`;
  return name.endsWith('_at') ? exactTime(value) : value;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="wrap">{value}</dd>
    </>
  );
}
