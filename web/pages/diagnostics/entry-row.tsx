import { ActionIcon, Group, Table, Text } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { CopyIcon } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { isAboutSigning } from '../../parts/text/rejection-name.ts';
import { surfaceNames } from '../../parts/text/surface-name.ts';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

type Entry = Diagnostics['items'][number];

interface EntryRowProps {
  readonly entry: Entry;
  readonly names: ReadonlyMap<string, string>;
  /** Whether the drawer shows it. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** A row opens the drawer with the whole request. */
export function EntryRow({ entry, names, isOpen, onOpen }: EntryRowProps) {
  const workspaceId = useWorkspaceId();
  const form = entry.form_id === null ? undefined : names.get(entry.form_id);
  const token = entry.token_id === null ? undefined : names.get(entry.token_id);
  return (
    <Table.Tr
      className="row-link"
      data-open={isOpen || undefined}
      onClick={({ target, currentTarget }) => {
        // Links and buttons in the row do something else.
        if (!(target instanceof Element) || target.closest('a, button') !== null) return;
        // It gets the focus back when the drawer is closed.
        currentTarget.querySelector('button')?.focus();
        onOpen();
      }}
    >
      <Table.Td pr={0} data-inline>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          onClick={onOpen}
          aria-haspopup="dialog"
          aria-label={`Details of request ${entry.request_id}`}
        >
          <Icon name="right" size={14} />
        </ActionIcon>
      </Table.Td>
      <Table.Td>
        <TimeAgo time={entry.at} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {entry.reason}
        </Text>
        {isAboutSigning(entry.reason) && entry.form_id !== null && (
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
            ml={isAboutSigning(entry.reason) ? 'sm' : 0}
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
  );
}
