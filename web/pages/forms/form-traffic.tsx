import { Group, Text } from '@mantine/core';
import type { FormActivity } from '../../../src/contract/forms/activity.ts';
import { TextLink } from '../../parts/links.tsx';
import { numberText } from '../../parts/numbers.ts';
import { TimeAgo } from '../../parts/time.tsx';

interface TrafficProps {
  readonly workspaceId: string;
  /** Undefined until it is known. */
  readonly activity: FormActivity['items'][number] | undefined;
}

const unknown = <Text size="sm">–</Text>;
const none = (text: string) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
);

export function LeadCount({ workspaceId, activity }: TrafficProps) {
  if (activity === undefined) return unknown;
  if (activity.leads_24h === 0) return none('0');
  const filters = { form_id: activity.form_id, range: '24h' } as const;
  return (
    <TextLink
      to="/w/$workspaceId/leads"
      params={{ workspaceId }}
      search={filters}
      size="sm"
      className="numbers"
    >
      {numberText(activity.leads_24h)}
    </TextLink>
  );
}

export function LastLead({ activity }: Pick<TrafficProps, 'activity'>) {
  if (activity === undefined) return unknown;
  return activity.last_lead_at === null ? none('None') : <TimeAgo time={activity.last_lead_at} />;
}

/** With rate limits counted separately. Only owners may see rejections. */
export function RejectionCount({ workspaceId, activity }: TrafficProps) {
  const { form_id, rejected_24h: rejected, rate_limited_24h: limited } = activity ?? {};
  if (rejected == null || limited == null) return unknown;
  if (rejected + limited === 0) return none('0');
  const link = { to: '/w/$workspaceId/tokens/diagnostics', params: { workspaceId }, size: 'sm' } as const;
  const filters = { form_id, range: '24h' } as const;
  return (
    <Group gap="xs" wrap="nowrap" className="numbers">
      {rejected > 0 && (
        <TextLink {...link} search={filters} c="var(--rejected-text)">
          {numberText(rejected)} rejected
        </TextLink>
      )}
      {limited > 0 && (
        <TextLink {...link} search={{ ...filters, tab: 'limited' }} c="var(--limited-text)">
          {numberText(limited)} limited
        </TextLink>
      )}
    </Group>
  );
}
