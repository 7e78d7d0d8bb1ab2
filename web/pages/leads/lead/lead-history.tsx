import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LeadEvent } from '../../../../src/contract/leads/history.ts';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { leadHistoryQuery } from '../../../api/queries.ts';
import { Icon, type IconName } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';

/** All that happened to a lead, the newest first. */
export function LeadHistory({ lead }: { lead: Lead }) {
  const query = useQuery(leadHistoryQuery(useWorkspaceId(), lead.submission_id));
  return (
    <Loaded query={query} rows={3}>
      {({ items, has_older_marks }) => (
        <Stack gap="sm">
          <Box component="ol" m={0} p={0} className="history" aria-label="History">
            {items.map((event, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an event has no id, and the list is shown whole.
              <Event key={i} event={event} />
            ))}
          </Box>
          <Text size="xs" c="dimmed">
            {has_older_marks ? 'Only the newest 100 marks are shown. ' : ''}A lead is scored when it comes in,
            and looked at again only for its mail server; later changes of the rules do not change it.
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

function Event({ event }: { event: LeadEvent }) {
  const { icon, title, detail } = sayingOf(event);
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" pb="md" className="history-event">
      <Box className="history-icon">
        <Icon name={icon} size={13} />
      </Box>
      <Box miw={0}>
        <Text size="sm" className="wrap">
          {title}
        </Text>
        {detail !== '' && (
          <Text size="xs" c="dimmed" className="wrap">
            {detail}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="time" dateTime={event.at}>
          {exactTime(event.at)}
        </Text>
      </Box>
    </Group>
  );
}

interface Saying {
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
}

const outcomes = {
  found: 'found something',
  none: 'found nothing',
  skip: 'was not asked',
  retry: 'will be asked again',
  fail: 'failed',
  pending: 'has yet to be asked',
};
const statuses = {
  builtin_only: 'from what the lead says itself',
  complete: 'everybody who was to be asked has answered',
  partial: 'some answers are missing',
  failed: 'nobody could be asked',
};

function sayingOf(event: LeadEvent): Saying {
  switch (event.kind) {
    case 'received':
      return { icon: 'download', title: `Received ${wayIn(event)}`, detail: '' };
    case 'scored':
      return {
        icon: 'gauge',
        title: `Found ${event.verdict}, score ${event.score} (grade ${event.grade}), risk ${event.risk}`,
        detail: `Rules ${event.ruleset}`,
      };
    case 'looked_again':
      return {
        icon: 'search',
        title: `Found ${event.verdict} after looking at its mail server, score ${event.score} (grade ${event.grade}), risk ${event.risk}`,
        detail: `Before: ${event.before.verdict}, score ${event.before.score} (grade ${event.before.grade}), risk ${event.before.risk} · Rules ${event.ruleset}`,
      };
    case 'marked':
      return {
        icon: event.mark === 'spam' ? 'ban' : 'check',
        title: `${event.by} ${markText(event.mark)}`,
        detail: '',
      };
    case 'asked':
      return {
        icon: 'search',
        title: `${event.provider} ${outcomes[event.outcome]}`,
        detail: [
          event.why,
          event.attempts > 1 ? `${event.attempts} attempts` : null,
          event.cached ? 'known from an earlier lead' : `${event.ms} ms`,
        ]
          .filter((part) => part !== null)
          .join(' · '),
      };
    case 'enriched':
      return { icon: 'spark', title: 'Enriched', detail: statuses[event.status] };
    case 'called':
      return {
        icon: 'alert',
        title: `${event.by}: ${sentence(event.action)}`,
        detail: event.outcome === 'unknown' ? 'Whether it was done is not known.' : '',
      };
  }
}

function wayIn({ surface, token }: Extract<LeadEvent, { kind: 'received' }>): string {
  if (surface === 'webhook') return 'by a signed webhook';
  return token?.name == null ? 'by token' : `by the token ${token.name}`;
}

function markText(mark: 'spam' | 'not_spam' | null): string {
  if (mark === null) return 'took the mark back';
  return mark === 'spam' ? 'marked it as spam' : 'marked it as not spam';
}

/** `createAForm` → "create a form". */
function sentence(action: string): string {
  return action.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}
