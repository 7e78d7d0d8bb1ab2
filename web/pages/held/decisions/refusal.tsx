import { Alert, Text } from '@mantine/core';
import { ApiProblem } from '../../../api/client.ts';
import { Icon } from '../../../parts/icons.tsx';
import { TextLink } from '../../../parts/links.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';

const refusals: Readonly<Record<string, readonly [title: string, text: string]>> = {
  twin: [
    'There is an equal lead',
    'A lead with the same content or the same idempotency key exists, so this would be a second one.',
  ],
  not_admissible: [
    'It cannot become a lead',
    'Its body is not a JSON object, its signature does not match the secret of the form, or the form was deleted.',
  ],
  suspended: ['The workspace is suspended', 'Nothing can be admitted until an operator resumes it.'],
  unreadable: [
    'It cannot be read',
    'It was encrypted with a key that the service no longer has. You can only discard it.',
  ],
  decided: ['It was decided already', 'Someone admitted or discarded it in the meantime.'],
};

/** Why a decision was refused, in words. `leadId` is the lead that is equal, or that it became. */
export function Refusal({ error, leadId }: { error: Error; leadId?: string | null | undefined }) {
  const workspaceId = useWorkspaceId();
  const [title, text] = refusals[error instanceof ApiProblem ? error.code : ''] ?? [];
  if (title === undefined) return <Failure error={error} />;
  return (
    <Alert color="yellow" title={title} icon={<Icon name="alert" />} role="alert">
      <Text size="sm">
        {text}{' '}
        {leadId && (
          <TextLink to="/w/$workspaceId/leads/$leadId" params={{ workspaceId, leadId }} size="sm">
            Open the lead
          </TextLink>
        )}
      </Text>
    </Alert>
  );
}
