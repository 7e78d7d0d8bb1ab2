import { Stack, Text } from '@mantine/core';
import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';
import { CodeBlock } from '../../../parts/copy.tsx';

const statusTexts: Readonly<Record<number, string>> = { 200: 'OK', 303: 'See Other', 403: 'Forbidden' };

/** Exactly what the sender saw. */
export function ResponseTab({ request: { response } }: { request: RejectedRequest }) {
  const { status, headers, body } = response;
  const lines = [
    `HTTP/1.1 ${status} ${statusTexts[status] ?? ''}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', body]),
  ];
  return (
    <Stack gap="xs">
      <CodeBlock code={lines.join('\n')} label="response" wraps />
      <Text size="sm" c="dimmed">
        The response is the same whatever the reason, and never has a Retry-After header, so that it reveals
        nothing to unauthenticated senders. Ask the sender for the X-Request-Id to find a request here.
      </Text>
    </Stack>
  );
}
