import { Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import type { HeldSubmission } from '../../../src/contract/held/held.ts';
import { TextLink } from '../../parts/links.tsx';
import { Tag } from '../../parts/tag.tsx';
import { rejectionName } from '../../parts/text/rejection-name.ts';
import { surfaceNames } from '../../parts/text/surface-name.ts';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useOpenHeld } from './held-address.ts';
import { classNames, sizeText } from './held-words.ts';

interface HeldRowProps {
  readonly held: HeldSubmission;
  readonly formName: string | undefined;
  readonly isChosen: boolean;
  /** Undefined if it is decided already. */
  readonly onChoose: ((isChosen: boolean) => void) | undefined;
}

export function HeldRow({ held, formName, isChosen, onChoose }: HeldRowProps) {
  const workspaceId = useWorkspaceId();
  const { openId, open } = useOpenHeld();
  const name = rejectionName(held.reason);
  const reason = held.sender === null ? name : `${held.sender.name}: ${name}`;
  return (
    <Table.Tr
      className="row-link"
      data-open={held.id === openId || undefined}
      onClick={({ target }) => {
        // Links and boxes in the row do something else.
        if (target instanceof Element && target.closest('a, input, label, [data-chooses]') === null)
          open(held.id);
      }}
    >
      {onChoose && (
        <Table.Td pr={0} data-inline data-chooses>
          <Checkbox
            size="xs"
            aria-label={`Select request ${held.request_id}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      <Table.Td data-inline>
        <TextLink
          to="/w/$workspaceId/tokens/diagnostics/held/$heldId"
          params={{ workspaceId, heldId: held.id }}
          search
          resetScroll={false}
          state={{ isFromList: true }}
          size="sm"
        >
          <TimeAgo time={held.received_at} size="inherit" />
          <span className="only-read">, {reason}</span>
        </TextLink>
      </Table.Td>
      <Table.Td maw={190} data-grows>
        <Text size="sm" className="cut" dir="auto">
          {formName ?? '–'}
        </Text>
        <Text size="xs" c="dimmed">
          {surfaceNames[held.surface]}
        </Text>
      </Table.Td>
      <Table.Td maw={260}>
        <Text size="sm">{reason}</Text>
        <Text size="xs" c="dimmed">
          {classNames[held.class]}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="numbers" data-label="Size">
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {sizeText(held.body_bytes)}
        </Text>
      </Table.Td>
      <Table.Td data-label={held.state === 'held' ? 'Deleted' : 'Decided'}>
        {held.decided_at === null ? (
          <TimeUntil time={held.expires_at} />
        ) : (
          <Stack gap={0}>
            <TimeAgo time={held.decided_at} />
            <Text size="xs" c="dimmed" className="wrap">
              by {held.decided_by}
            </Text>
          </Stack>
        )}
      </Table.Td>
      <Table.Td>
        <Notes held={held} />
      </Table.Td>
    </Table.Tr>
  );
}

/** What to know before deciding. */
function Notes({ held }: { held: HeldSubmission }) {
  const workspaceId = useWorkspaceId();
  const leadId = held.submission_id ?? held.twin_of;
  return (
    <Group gap={6}>
      {held.state === 'discarded' && <Tag tone="quiet">Discarded</Tag>}
      {!held.is_readable && held.state === 'held' && (
        <Tag tone="bad" icon="alert">
          Cannot be read
        </Tag>
      )}
      {held.verified_at !== null && held.state === 'held' && (
        <Tag tone="good" icon="check">
          Signature matches now
        </Tag>
      )}
      {held.twin_of !== null && held.state === 'held' && (
        <Tag tone="warning" icon="copy">
          Equal lead
        </Tag>
      )}
      {leadId !== null && (
        <TextLink to="/w/$workspaceId/leads/$leadId" params={{ workspaceId, leadId }} size="sm">
          Lead
          <span className="only-read">{held.submission_id === null ? ' that is equal' : ''}</span>
        </TextLink>
      )}
    </Group>
  );
}
