import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type {
  RejectedRequest,
  RejectedRequestDryRun,
} from '../../../../src/contract/diagnostics/rejected-request.ts';
import { Icon } from '../../../parts/icons.tsx';
import { ButtonLink, TextLink } from '../../../parts/links.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { Part } from '../../held/request/part.tsx';
import { dryRun } from './request-queries.ts';

/** Whether its content is held, and what can be done with it. */
export function KeptPart({ request }: { request: RejectedRequest }) {
  const workspaceId = useWorkspaceId();
  const run = useMutation({ mutationFn: () => dryRun(workspaceId, request.id) });
  const isDecided = request.kept === 'admitted' || request.kept === 'discarded';
  return (
    <Part title="Content">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{request.kept_text}</Text>
        <Group gap="xs">
          {request.can_dry_run && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="play" size={14} />}
              loading={run.isPending}
              onClick={() => run.mutate()}
            >
              Try again as a dry run
            </Button>
          )}
          {(request.kept === 'held' || isDecided) && (
            <ButtonLink
              to="/w/$workspaceId/tokens/diagnostics/held/$heldId"
              params={{ workspaceId, heldId: request.id }}
              size="xs"
              variant="default"
              leftSection={<Icon name={request.is_admissible ? 'check' : 'quarantine'} size={14} />}
            >
              {request.is_admissible ? 'Admit…' : 'Open held request'}
            </ButtonLink>
          )}
        </Group>
        <div role="status">
          {run.data && <DryRunResult result={run.data} />}
          {run.error && <Failure error={run.error} />}
        </div>
      </Stack>
    </Part>
  );
}

const looks = {
  accepted: { color: 'teal', icon: 'check' },
  duplicate: { color: 'gray', icon: 'copy' },
  rejected: { color: 'red', icon: 'ban' },
} as const;

function DryRunResult({ result }: { result: RejectedRequestDryRun }) {
  const workspaceId = useWorkspaceId();
  const { color, icon } = looks[result.outcome];
  return (
    <Alert color={color} icon={<Icon name={icon} />} title={result.text}>
      <Text size="sm">
        This was a dry run: nothing was stored or counted, and rate limits were not checked.{' '}
        {result.submission_id !== null && (
          <TextLink
            to="/w/$workspaceId/leads/$leadId"
            params={{ workspaceId, leadId: result.submission_id }}
            size="sm"
          >
            Open the lead
          </TextLink>
        )}
      </Text>
    </Alert>
  );
}
