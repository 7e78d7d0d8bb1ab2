import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';
import type { WholeHeldSubmission } from '../../../../src/contract/held/held.ts';
import { heldQuery } from '../../../api/held-queries.ts';
import { CodeBlock } from '../../../parts/copy.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { sizeText } from '../../held/held-words.ts';
import { HeldBody } from '../../held/request/held-content.tsx';
import { Part } from '../../held/request/part.tsx';

/** What was sent. It is read only when this is opened, because each read adds an entry to the audit log. */
export function RequestTab({ request }: { request: RejectedRequest }) {
  if (request.kept !== 'held')
    return (
      <Text size="sm" c="dimmed">
        {request.kept_text}
      </Text>
    );
  return <KeptRequest id={request.id} />;
}

function KeptRequest({ id }: { id: string }) {
  const query = useQuery(heldQuery(useWorkspaceId(), id));
  return <Loaded query={query}>{(held) => <Sent held={held} />}</Loaded>;
}

function Sent({ held: { request, body, body_bytes, state } }: { held: WholeHeldSubmission }) {
  if (request === null)
    return (
      <Text size="sm">
        {state === 'held'
          ? 'It was encrypted with a key that the service no longer has. The operator may still have that key.'
          : 'Its content was deleted when it was decided.'}
      </Text>
    );
  const lines = request.headers.map(({ name, value }) => `${name}: ${value}`);
  return (
    <Stack gap="lg">
      <Part title="Headers">
        <Stack gap="xs">
          <CodeBlock
            code={[`${request.method} ${request.path ?? ''}`.trim(), ...lines].join('\n')}
            label="headers"
            maxHeight={320}
            wraps
          />
          <Text size="xs" c="dimmed">
            {request.has_all_headers
              ? 'Credentials, cookies, addresses and unknown headers are recorded without their values.'
              : 'Only the headers of the check were recorded, because the sender was not authenticated, or by an earlier version.'}
          </Text>
        </Stack>
      </Part>
      <Part title={`Body, ${sizeText(body_bytes)}`}>
        <HeldBody body={body} />
      </Part>
    </Stack>
  );
}
