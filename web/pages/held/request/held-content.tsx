import { Stack, Text } from '@mantine/core';
import type { WholeHeldSubmission } from '../../../../src/contract/held/held.ts';
import { headerPrefix } from '../../../api/page-settings.ts';
import { indentJson } from '../../../parts/code/indent-json.ts';
import { CodeBlock } from '../../../parts/copy.tsx';
import { numberText } from '../../../parts/numbers.ts';
import { Part } from './part.tsx';

const shownCharactersMax = 20_000;

/** What was sent, as text: nothing in it is interpreted. */
export function HeldContent({ held: { state, headers, body, is_readable } }: { held: WholeHeldSubmission }) {
  if (state !== 'held')
    return (
      <Part title="Content">
        <Text size="sm" c="dimmed">
          {state === 'admitted' ? 'The lead has it now.' : 'It was deleted.'}
        </Text>
      </Part>
    );
  if (!is_readable || (headers === null && body === null))
    return (
      <Part title="Content">
        <Text size="sm">
          {is_readable
            ? 'The content was too large to keep.'
            : 'It was encrypted with a key that the service no longer has. The operator may still have that key.'}
        </Text>
      </Part>
    );
  const sent = headerText(headers);
  return (
    <>
      {sent !== '' && (
        <Part title="Headers">
          <CodeBlock code={sent} label="headers" maxHeight={200} />
        </Part>
      )}
      <Part title="Body">
        <HeldBody body={body} />
      </Part>
    </>
  );
}

export function HeldBody({ body }: { body: string | null }) {
  if (body === null)
    return (
      <Text size="sm" c="dimmed">
        The body was too large to keep.
      </Text>
    );
  return (
    <Stack gap="xs">
      {body.length > shownCharactersMax && (
        <Text size="sm" c="dimmed" className="numbers">
          The first {numberText(shownCharactersMax)} characters.
        </Text>
      )}
      <CodeBlock code={shownText(body)} label="body" maxHeight={420} />
    </Stack>
  );
}

/** Indented where it is JSON that is shown whole. */
function shownText(body: string): string {
  return body.length > shownCharactersMax ? body.slice(0, shownCharactersMax) : indentJson(body);
}

function headerText(headers: WholeHeldSubmission['headers']): string {
  const lines = [
    ['Content-Type', headers?.content_type],
    [`${headerPrefix}Timestamp`, headers?.timestamp],
    [`${headerPrefix}Signature`, headers?.signature],
  ] as const;
  return lines.flatMap(([name, value]) => (value == null ? [] : [`${name}: ${value}`])).join('\n');
}
