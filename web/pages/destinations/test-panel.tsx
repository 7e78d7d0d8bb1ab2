import { Alert, Button, Stack, Tabs, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Destination, DestinationTest } from '../../../src/contract/destinations/destinations.ts';
import { api } from '../../api/client.ts';
import { indentJson } from '../../parts/code/indent-json.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { Failure } from '../../parts/states.tsx';
import { sentence } from '../../parts/text/sentence.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { headerLines } from './header-lines.ts';
import { isRead, type Kind } from './kinds/kind-words.ts';
import { resultWords, testText } from './kinds/test-words.ts';

/** Sends a sample, and shows what was sent and what came back. */
export function TestPanel({ destination }: { destination: Destination }) {
  const workspaceId = useWorkspaceId();
  const test = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/destinations/:destination_id/test', {
        params: { workspace_id: workspaceId, destination_id: destination.id },
      }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" className="wrap">
        {testText(destination)} It also works while the destination is paused.
      </Text>
      <Button
        w="fit-content"
        variant={test.data === undefined ? 'filled' : 'default'}
        leftSection={<Icon name="send" size={15} />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {test.data === undefined ? 'Send test' : 'Send another test'}
      </Button>
      <div aria-live="polite">
        {test.error && <Failure error={test.error} />}
        {test.data && !test.isPending && <TestResult result={test.data} destination={destination} />}
      </div>
    </Stack>
  );
}

function TestResult({ result, destination }: { result: DestinationTest; destination: Destination }) {
  const { delivered, status, error, took_ms, response_head, request } = result;
  const { kind } = destination;
  const words = resultWords[kind];
  const took = `${status === null ? '' : `${words.status} ${status}, `}${numberText(took_ms)} ms`;
  const headers = headerLines(kind === 'webhook' ? destination.url : null, request.headers);
  return (
    <Stack gap="sm">
      <Alert
        color={delivered ? 'teal' : 'red'}
        icon={<Icon name={delivered ? 'check' : 'alert'} />}
        title={`${delivered ? 'Delivered' : 'Not delivered'} (${took})`}
      >
        <Text size="sm" className="wrap">
          {delivered ? words.accepted : sentence(error ?? words.refused)}
        </Text>
      </Alert>
      <Tabs defaultValue="response" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="response">{words.response}</Tabs.Tab>
          <Tabs.Tab value="request">{words.request}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="response">
          <ResponseHead head={response_head} status={status} kind={kind} />
        </Tabs.Panel>
        <Tabs.Panel value="request">
          <Stack gap="xs">
            {headers !== '' && <CodeBlock code={headers} label="headers of the request" maxHeight={220} />}
            <CodeBlock
              code={indentJson(request.body)}
              label="body of the request"
              maxHeight={320}
              wraps={isRead(kind)}
            />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

interface ResponseHeadProps {
  readonly head: string | null;
  readonly status: number | null;
  /** Undefined if the destination was deleted. */
  readonly kind: Kind | undefined;
}

/** The start of what the receiver responded, or why it is not shown. */
export function ResponseHead({ head, status, kind }: ResponseHeadProps) {
  if (head !== null && head !== '')
    return <CodeBlock code={head} label="start of the response" maxHeight={220} />;
  return (
    <Text size="sm" c="dimmed">
      {status === null
        ? 'There was no response.'
        : head === null && (kind === 'webhook' || kind === 'chat')
          ? 'Only the status is kept of responses from hosts that the operator has allowed.'
          : kind === 'email'
            ? 'The mail server said no more.'
            : 'The response had no body.'}
    </Text>
  );
}
