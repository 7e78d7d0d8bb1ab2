import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LeadEvent } from '../../../../src/contract/leads/history.ts';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { leadHistoryQuery } from '../../../api/queries.ts';
import { Icon, type IconName } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { rejectionName } from '../../../parts/text/rejection-name.ts';
import { exactTime } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';

/** Everything that happened to a lead, newest first. */
export function LeadHistory({ lead }: { lead: Lead }) {
  const query = useQuery(leadHistoryQuery(useWorkspaceId(), lead.submission_id));
  return (
    <Loaded query={query} rows={3}>
      {({ items, has_older_marks }) => (
        <Stack gap="sm">
          <Box component="ol" m={0} p={0} className="history" aria-label="History">
            {items.map((event, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an event has no id, and the list is always shown whole.
              <Event key={i} event={event} />
            ))}
          </Box>
          <Text size="xs" c="dimmed">
            {has_older_marks ? 'Only the newest 100 marks are shown. ' : ''}A lead is scored when it arrives,
            and again only after a check of its mail server. Later changes to the rules do not affect it.
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

function Event({ event }: { event: LeadEvent }) {
  const { icon, title, detail } = descriptionOf(event);
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

interface Description {
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
}

const outcomes = {
  found: 'found data',
  none: 'found no data',
  skip: 'was skipped',
  retry: 'will be tried again',
  fail: 'failed',
  pending: 'is pending',
};
const statuses = {
  builtin_only: 'From the content of the lead',
  complete: 'All providers responded',
  partial: 'Some responses are missing',
  failed: 'No provider responded',
};
/** What was done to the lead, and how to say that it is not known whether it succeeded. */
const actions: Readonly<Record<string, readonly [done: string, attempted: string]>> = {
  'readTheExactBytesOfALead view': ['viewed the exact bytes', 'tried to view the exact bytes'],
  readTheExactBytesOfALead: ['downloaded the exact bytes', 'tried to download the exact bytes'],
  eraseALead: ['erased the lead', 'tried to erase the lead'],
  markALeadAsSpamOrNotSpam: ['marked the lead', 'tried to mark the lead'],
  storeAQuarantinedLead: ['stored the lead from quarantine', 'tried to store the lead from quarantine'],
};

function descriptionOf(event: LeadEvent): Description {
  switch (event.kind) {
    case 'received':
      return { icon: 'download', title: `Received ${sourceOf(event)}`, detail: '' };
    case 'admitted':
      return {
        icon: 'check',
        title: `Rejected ${exactTime(event.received_at)} (${rejectionName(event.reason).toLowerCase()}), admitted by ${event.by}`,
        detail: '',
      };
    case 'scored':
      return {
        icon: 'gauge',
        title: `Scored as ${event.verdict}: score ${event.score} (grade ${event.grade}), risk ${event.risk}`,
        detail: `Ruleset ${event.ruleset}`,
      };
    case 'looked_again':
      return {
        icon: 'search',
        title: `Scored as ${event.verdict} after a check of its mail server: score ${event.score} (grade ${event.grade}), risk ${event.risk}`,
        detail: `Before: ${event.before.verdict}, score ${event.before.score} (grade ${event.before.grade}), risk ${event.before.risk} · Ruleset ${event.ruleset}`,
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
          event.cached ? 'cached from an earlier lead' : `${event.ms} ms`,
        ]
          .filter((part) => part !== null)
          .join(' · '),
      };
    case 'enriched':
      return { icon: 'spark', title: 'Enriched', detail: statuses[event.status] };
    case 'called': {
      const { by, action, changes, outcome } = event;
      const words = actions[`${action} ${changes.purpose}`] ?? actions[action];
      return {
        icon: 'alert',
        title: `${by} ${words?.[outcome === 'done' ? 0 : 1] ?? action}`,
        detail: outcome === 'unknown' ? 'It is not known whether this succeeded.' : '',
      };
    }
  }
}

function sourceOf({ surface, token }: Extract<LeadEvent, { kind: 'received' }>): string {
  if (surface === 'webhook') return 'by signed webhook';
  if (surface === 'browser') return 'from a web page';
  return token?.name == null ? 'with a token' : `with the token ${token.name}`;
}

export function markText(mark: 'spam' | 'not_spam' | null): string {
  if (mark === null) return 'removed the mark';
  return mark === 'spam' ? 'marked it as spam' : 'marked it as not spam';
}
