import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { CopyIcon } from '../../../parts/copy.tsx';
import { Icon, type IconName } from '../../../parts/icons.tsx';
import { TimeAgo } from '../../../parts/time.tsx';

/** What anyone who replies to the lead should know first. */
export function LeadNotes({ lead }: { lead: Lead }) {
  const { second_look: look, email_suggestion: suggestion, scored_verdict } = lead;
  const email = lead.enrichment?.email as { readonly deliverability?: string } | undefined;
  const isUndeliverable = email?.deliverability === 'undeliverable';
  if (look === null && suggestion === null && !isUndeliverable) return null;
  return (
    <Stack gap="xs">
      {look !== null && (
        <Note icon="search">
          Scored as {scored_verdict} after a check of its mail server{' '}
          <TimeAgo time={look.at} size="inherit" />. It arrived as {look.verdict_before} with risk{' '}
          {look.risk_before}; the risk is now {lead.risk}.
        </Note>
      )}
      {suggestion !== null && (
        <Note icon="alert">
          Did the person mean <b className="wrap">{suggestion}</b>?{' '}
          <CopyIcon value={suggestion} label="Copy email address" />
        </Note>
      )}
      {isUndeliverable && <Note icon="ban">The domain of this email address does not accept email.</Note>}
    </Stack>
  );
}

function Note({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <Alert color="yellow" icon={<Icon name={icon} />} p="sm">
      <Text size="sm" component="div">
        {children}
      </Text>
    </Alert>
  );
}
