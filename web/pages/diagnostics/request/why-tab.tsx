import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';
import { CopyIcon } from '../../../parts/copy.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { ButtonLink } from '../../../parts/links.tsx';
import { countText } from '../../../parts/numbers.ts';
import { isAboutSigning } from '../../../parts/text/rejection-name.ts';
import { surfaceTitle } from '../../../parts/text/surface-name.ts';
import { exactTime, TimeAgo } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { Part } from '../../held/request/part.tsx';
import { SeverityMark } from '../severity.tsx';
import { KeptPart } from './kept-part.tsx';
import { SenderFix } from './sender-fix.tsx';
import { SettingsLink } from './settings-link.tsx';

export function WhyTab({ request }: { request: RejectedRequest }) {
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Text fw={580} className="wrap" dir="auto">
          {request.sentence || request.reason}
        </Text>
        <Group gap="xs">
          <SeverityMark severity={request.severity} />
          <Text size="xs" ff="monospace" c="dimmed">
            {request.reason}
          </Text>
          <TimeAgo time={request.at} size="xs" />
        </Group>
      </Stack>
      <Part title="What to do">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{request.fix}</Text>
          <Group gap="md">
            <Anchor href={request.docs_path} target="_blank" size="sm">
              More about {request.reason}
            </Anchor>
            <SettingsLink request={request} />
          </Group>
          <DebuggerLink request={request} />
          <SenderFix request={request} />
        </Stack>
      </Part>
      <KeptPart request={request} />
      <Part title="Details">
        <Facts request={request} />
      </Part>
    </Stack>
  );
}

function DebuggerLink({ request }: { request: RejectedRequest }) {
  const workspaceId = useWorkspaceId();
  const { reason, surface, form_id } = request;
  if (surface !== 'webhook' || !isAboutSigning(reason) || form_id === null) return null;
  return (
    <ButtonLink
      to="/w/$workspaceId/debugger"
      params={{ workspaceId }}
      search={{ form: form_id, rejection: request.id }}
      size="xs"
      variant="default"
      leftSection={<Icon name="debugger" size={14} />}
    >
      Open in signature debugger
    </ButtonLink>
  );
}

function Facts({ request }: { request: RejectedRequest }) {
  const { last_24_hours, last_7_days } = request.occurrences;
  return (
    <dl className="facts">
      <dt>Occurred</dt>
      <dd className="numbers">
        {countText(last_24_hours, 'time')} in 24 hours, {countText(last_7_days, 'time')} in 7 days
        <Text size="xs" c="dimmed">
          for the same form and token
        </Text>
      </dd>
      <dt>Received</dt>
      <dd>{exactTime(request.at)}</dd>
      <dt>Form</dt>
      <dd className="wrap" dir="auto">
        {request.form_name ?? request.form_id ?? 'Unknown'}
      </dd>
      <dt>Sent with</dt>
      <dd className="wrap" dir="auto">
        {surfaceTitle(request.surface)} {request.token_name ?? request.token_id}
      </dd>
      <dt>Request ID</dt>
      <dd className="wrap">
        {request.request_id} <CopyIcon value={request.request_id} label="Copy request ID" />
      </dd>
    </dl>
  );
}
