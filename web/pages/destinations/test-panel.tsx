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

/** Sends a sample, and shows what was sent and what came back. */
export function TestPanel({ destination }: { destination: Pick<Destination, 'id' | 'url'> }) {
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
        Sends a sample lead with the event type <code>test</code> to {destination.url}, signed like any other.
        It also works while the destination is paused.
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
        {test.data && !test.isPending && <TestResult result={test.data} url={destination.url} />}
      </div>
    </Stack>
  );
}

function TestResult({ result, url }: { result: DestinationTest; url: string }) {
  const { delivered, status, error, took_ms, response_head, request } = result;
  const took = `${status === null ? '' : `status ${status}, `}${numberText(took_ms)} ms`;
  return (
    <Stack gap="sm">
      <Alert
        color={delivered ? 'teal' : 'red'}
        icon={<Icon name={delivered ? 'check' : 'alert'} />}
        title={`${delivered ? 'Delivered' : 'Not delivered'} (${took})`}
      >
        <Text size="sm" className="wrap">
          {delivered
            ? 'The receiver accepted the test.'
            : sentence(error ?? 'The receiver did not accept the test')}
        </Text>
      </Alert>
      <Tabs defaultValue="response" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="response">Response</Tabs.Tab>
          <Tabs.Tab value="request">Request</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="response">
          <ResponseHead head={response_head} status={status} />
        </Tabs.Panel>
        <Tabs.Panel value="request">
          <Stack gap="xs">
            <CodeBlock
              code={headerLines(url, request.headers)}
              label="headers of the request"
              maxHeight={220}
            />
            <CodeBlock code={indentJson(request.body)} label="body of the request" maxHeight={320} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** The start of what the receiver responded, or why it is not shown. */
export function ResponseHead({ head, status }: { head: string | null; status: number | null }) {
  if (head !== null && head !== '')
    return <CodeBlock code={head} label="start of the response" maxHeight={220} />;
  return (
    <Text size="sm" c="dimmed">
      {status === null
        ? 'There was no response.'
        : head === null
          ? 'Only the status is kept of responses from hosts that the operator has allowed.'
          : 'The response had no body.'}
    </Text>
  );
}
