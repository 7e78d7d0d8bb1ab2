import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import type { IconName } from '../../../parts/icons.tsx';
import { Tag, type Tone } from '../../../parts/tag.tsx';
import { TimeAgo } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { isNested } from './key-order.ts';

const looks: Record<LeadListed['verdict'], { label: string; tone: Tone; icon: IconName }> = {
  clean: { label: 'Clean', tone: 'good', icon: 'check' },
  suspect: { label: 'Suspect', tone: 'warning', icon: 'alert' },
  spam: { label: 'Spam', tone: 'bad', icon: 'ban' },
};

export function VerdictBadge({ verdict, isMarked }: { verdict: LeadListed['verdict']; isMarked?: boolean }) {
  const { label, tone, icon } = looks[verdict];
  return (
    <Tag tone={tone} icon={icon} isOutlined={isMarked === true}>
      {label}
    </Tag>
  );
}

export function VerdictCell({ lead }: { lead: LeadListed }) {
  return <VerdictBadge verdict={lead.verdict} isMarked={lead.mark !== null} />;
}

/** The lead whose link is in the tab order: one for the whole list, because J, K and the arrow keys move from row to row. */
export const TabStop = createContext<string | undefined>(undefined);

/** A click opens the lead once, in the row around it; a click with Ctrl opens a tab. */
export function LeadLink({ lead, children }: { lead: LeadListed; children: ReactNode }) {
  const workspaceId = useWorkspaceId();
  const tabStop = useContext(TabStop);
  return (
    <Link
      to="/w/$workspaceId/leads/$leadId"
      params={{ workspaceId, leadId: lead.submission_id }}
      search
      className="quiet-link"
      resetScroll={false}
      tabIndex={tabStop === lead.submission_id ? 0 : -1}
      onClick={(event) => isPlainClick(event) && event.preventDefault()}
    >
      {children}
    </Link>
  );
}

/** The link of a row, which the keys move from lead to lead. */
export function isRowLink(target: EventTarget): boolean {
  return target instanceof HTMLAnchorElement && target.closest('[data-lead]') !== null;
}

export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

export function TimeCell({ lead }: { lead: LeadListed }) {
  return (
    <LeadLink lead={lead}>
      <TimeAgo time={lead.received_at} />
    </LeadLink>
  );
}

export function ScoreCell({ lead }: { lead: LeadListed }) {
  return (
    <Text size="sm" className="numbers" component="span">
      <b>{lead.score}</b>{' '}
      <Text span size="xs" c="dimmed">
        {lead.grade}
      </Text>
    </Text>
  );
}

/** The text of a flat value. React never renders what senders wrote as markup. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return String(value);
}

export function FieldCell({ fields, name }: { fields: LeadListed['fields']; name: string }) {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (isNested(value))
    return (
      <Text span size="xs" c="dimmed" title="Open the lead to see this value.">
        nested
      </Text>
    );
  const text = valueText(value);
  return (
    <span title={text.slice(0, 400)} dir="auto">
      {text.slice(0, 200)}
    </span>
  );
}
