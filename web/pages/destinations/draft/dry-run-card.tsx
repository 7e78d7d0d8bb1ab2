import { ActionIcon, Box, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { DryRun } from '../../../../src/contract/destinations/destinations.ts';
import { ApiProblem } from '../../../api/client.ts';
import { indentJson } from '../../../parts/code/indent-json.ts';
import { CodeBlock } from '../../../parts/copy.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { TextLink } from '../../../parts/links.tsx';
import { numberText } from '../../../parts/numbers.ts';
import { Failure, Loading } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import type { TriedDraft } from './use-dry-run.ts';

/** What the draft would do with stored leads: how many it would send, and what the receiver would get. */
export function DryRunCard({ tried: { query, isReady } }: { tried: TriedDraft }) {
  // The rows say what is wrong with them.
  const isInvalid = query.error instanceof ApiProblem && query.error.errors.length > 0;
  return (
    <Box className="panel" p="md" role="group" aria-label="Dry run">
      <Title order={2} size="h5" mb={4}>
        Dry run
      </Title>
      <Stack gap="sm" aria-live="polite" aria-busy={query.isFetching}>
        {!isReady && <Hint>Complete the rows to see which leads match.</Hint>}
        {isReady && isInvalid && <Hint>Correct the rows marked in red to see which leads match.</Hint>}
        {isReady && query.error && !isInvalid && (
          <Failure error={query.error} retry={() => void query.refetch()} />
        )}
        {isReady && query.isPending && !query.error && <Loading rows={2} />}
        {isReady && !query.error && query.data && (
          <Result result={query.data} isStale={query.isPlaceholderData} />
        )}
      </Stack>
    </Box>
  );
}

function Hint({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function Result({ result, isStale }: { result: DryRun; isStale: boolean }) {
  if (result.checked === 0) return <Hint>There are no leads yet to try this on.</Hint>;
  return (
    <Stack gap="sm" opacity={isStale ? 0.6 : 1}>
      <Text size="sm">
        <b className="numbers">{numberText(result.matching)}</b> of the newest {numberText(result.checked)}{' '}
        {result.checked === 1 ? 'lead' : 'leads'} would be sent.
      </Text>
      <Examples examples={result.examples} />
    </Stack>
  );
}

/** One at a time, because each may be long. */
function Examples({ examples }: Pick<DryRun, 'examples'>) {
  const workspaceId = useWorkspaceId();
  const [chosen, setChosen] = useState(0);
  const place = Math.min(chosen, examples.length - 1);
  const example = examples[place];
  if (example === undefined) return null;
  const buttons = { variant: 'subtle', color: 'gray', size: 'sm' } as const;
  return (
    <div>
      <Group justify="space-between" mb={4} gap="xs">
        <TextLink
          to="/w/$workspaceId/leads/$leadId"
          params={{ workspaceId, leadId: example.submission_id }}
          target="_blank"
          size="xs"
        >
          Lead {place + 1} of {examples.length}
        </TextLink>
        {examples.length > 1 && (
          <Group gap={0}>
            <ActionIcon
              {...buttons}
              disabled={place === 0}
              onClick={() => setChosen(place - 1)}
              aria-label="Previous example"
            >
              <Icon name="left" size={14} />
            </ActionIcon>
            <ActionIcon
              {...buttons}
              disabled={place === examples.length - 1}
              onClick={() => setChosen(place + 1)}
              aria-label="Next example"
            >
              <Icon name="right" size={14} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <CodeBlock code={indentJson(example.body)} label="body that would be sent" maxHeight={360} />
    </div>
  );
}
