import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WholeHeldSubmission } from '../../../../src/contract/held/held.ts';
import { rejectionTexts } from '../../../../src/contract/held/terms.ts';
import { formsQuery, tokensQuery } from '../../../api/queries.ts';
import { CopyIcon } from '../../../parts/copy.tsx';
import { TextLink } from '../../../parts/links.tsx';
import { Tag, type Tone } from '../../../parts/tag.tsx';
import { rejectionName } from '../../../parts/text/rejection-name.ts';
import { surfaceTitle } from '../../../parts/text/surface-name.ts';
import { exactTime, TimeUntil } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { classNames, classTexts, sizeText, stateNames } from '../held-words.ts';
import { driftText } from './drift.ts';
import { HeldActions } from './held-actions.tsx';
import { HeldContent } from './held-content.tsx';
import { Part } from './part.tsx';

const tones: Readonly<Record<WholeHeldSubmission['class'], Tone>> = {
  A: 'good',
  B: 'good',
  C: 'quiet',
  D: 'warning',
  E: 'good',
};

export function HeldDetail({ held }: { held: WholeHeldSubmission }) {
  const why = rejectionTexts[held.reason];
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group gap="xs">
          <Tag tone={held.state === 'held' ? 'accent' : 'quiet'}>{stateNames[held.state]}</Tag>
          <Tag tone={tones[held.class]}>{classNames[held.class]}</Tag>
          {!held.is_readable && held.state === 'held' && (
            <Tag tone="bad" icon="alert">
              Cannot be read
            </Tag>
          )}
        </Group>
        <Standing held={held} />
        <HeldActions held={held} />
      </Stack>
      <Part title="Why it is not a lead">
        <Text size="sm">{why.text}</Text>
        <Text size="sm" c="dimmed">
          {why.fix}
        </Text>
      </Part>
      <Part title="Request">
        <Facts held={held} />
      </Part>
      <HeldContent held={held} />
    </Stack>
  );
}

/** What became of it, or what can become of it. */
function Standing({ held }: { held: WholeHeldSubmission }) {
  if (held.state !== 'held')
    return (
      <Text size="sm" className="wrap">
        {stateNames[held.state]} by {held.decided_by}
        {held.decided_at === null ? '' : `, ${exactTime(held.decided_at)}`}.{' '}
        <LeadLink id={held.submission_id}>Open the lead</LeadLink>
      </Text>
    );
  return (
    <>
      <Text size="sm" c="dimmed">
        {held.verified_at === null
          ? classTexts[held.class]
          : `Its signature matches the secret that the form has now (checked ${exactTime(held.verified_at)}). It can be admitted.`}
      </Text>
      {held.twin_of !== null && (
        <Text size="sm">
          There is a lead with the same content or the same idempotency key, probably a retry of the sender.{' '}
          <LeadLink id={held.twin_of}>Open the equal lead</LeadLink>
        </Text>
      )}
    </>
  );
}

function LeadLink({ id, children }: { id: string | null; children: string }) {
  const workspaceId = useWorkspaceId();
  if (id === null) return null;
  return (
    <TextLink to="/w/$workspaceId/leads/$leadId" params={{ workspaceId, leadId: id }} size="sm">
      {children}
    </TextLink>
  );
}

function Facts({ held }: { held: WholeHeldSubmission }) {
  const workspaceId = useWorkspaceId();
  const form = useQuery(formsQuery(workspaceId)).data?.items.find(({ id }) => id === held.form_id);
  const token = useQuery(tokensQuery(workspaceId)).data?.items.find(({ id }) => id === held.token_id);
  return (
    <dl className="facts">
      <dt>Reason</dt>
      <dd>{rejectionName(held.reason)}</dd>
      {held.sender !== null && (
        <>
          <dt>Sender</dt>
          <dd>{held.sender.name}</dd>
        </>
      )}
      <dt>Form</dt>
      <dd className="wrap" dir="auto">
        {form?.name ?? held.form_id}
      </dd>
      <dt>Sent with</dt>
      <dd className="wrap">
        {surfaceTitle(held.surface)} {token?.name ?? held.token_id}
      </dd>
      <dt>Received</dt>
      <dd>{exactTime(held.received_at)}</dd>
      {held.sent_at !== null && (
        <>
          <dt>Signed time</dt>
          <dd>
            {exactTime(held.sent_at)}, {driftText(held.sent_at, held.received_at)}
          </dd>
        </>
      )}
      <dt>Request ID</dt>
      <dd className="wrap">
        {held.request_id} <CopyIcon value={held.request_id} label="Copy request ID" />
      </dd>
      <dt>Size</dt>
      <dd className="numbers">{sizeText(held.body_bytes)}</dd>
      <dt>Idempotency key</dt>
      <dd>{held.has_key ? 'Yes' : 'None'}</dd>
      {held.state === 'held' && (
        <>
          <dt>Deleted</dt>
          <dd>
            <TimeUntil time={held.expires_at} />, {exactTime(held.expires_at)}
          </dd>
        </>
      )}
    </dl>
  );
}
