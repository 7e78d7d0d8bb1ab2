import { Box, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DryRun } from '../../../../src/contract/destinations/destinations.ts';
import { ApiProblem } from '../../../api/client.ts';
import { numberText } from '../../../parts/numbers.ts';
import { Failure, Loading } from '../../../parts/states.tsx';
import type { DestinationDraft } from '../draft/draft.ts';
import type { TriedDraft } from '../draft/use-dry-run.ts';
import { Examples, Shown } from './examples.tsx';

interface DryRunCardProps {
  readonly tried: TriedDraft;
  readonly draft: DestinationDraft;
}

/** What the draft would do with stored leads: how many it would send, and what the receiver would get. */
export function DryRunCard({ tried: { query, isReady, isBusy }, draft }: DryRunCardProps) {
  // The rows say what is wrong with them.
  const isInvalid = query.error instanceof ApiProblem && query.error.errors.length > 0;
  return (
    <Box className="panel" p="md" role="group" aria-label="Dry run">
      <Title order={2} size="h5" mb={4}>
        Dry run
      </Title>
      <Stack gap="sm" aria-live="polite" aria-busy={isBusy}>
        {!isReady && <Hint>Complete the rows to see which leads match.</Hint>}
        {isReady && isInvalid && <Hint>Correct the rows marked in red to see which leads match.</Hint>}
        {isReady && query.error && !isInvalid && (
          <Failure error={query.error} retry={() => void query.refetch()} />
        )}
        {isReady && query.isPending && !query.error && <Loading rows={2} />}
        {isReady && !query.error && query.data && (
          <Result result={query.data} draft={draft} isStale={query.isPlaceholderData} />
        )}
      </Stack>
    </Box>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

interface ResultProps {
  readonly result: DryRun;
  readonly draft: DestinationDraft;
  readonly isStale: boolean;
}

function Result({ result, draft, isStale }: ResultProps) {
  const { examples, sample } = result;
  return (
    <Stack gap="sm" opacity={isStale ? 0.6 : 1}>
      <Counts result={result} />
      <Examples examples={examples} draft={draft} />
      {sample !== null && (
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            Example with a sample lead
          </Text>
          <Shown example={sample} draft={draft} />
        </div>
      )}
    </Stack>
  );
}

function Counts({ result: { checked, matching, skipped } }: { result: DryRun }) {
  if (checked === 0) return <Hint>There are no leads yet to try this on.</Hint>;
  return (
    <>
      <Text size="sm">
        <b className="numbers">{numberText(matching)}</b> of the newest {numberText(checked)}{' '}
        {checked === 1 ? 'lead' : 'leads'} {skipped > 0 ? 'match.' : 'would be sent.'}
      </Text>
      {skipped > 0 && (
        <Text size="sm">
          <b className="numbers">{numberText(skipped)}</b> of these leads{' '}
          {skipped === 1 ? 'has no email address and is skipped.' : 'have no email address and are skipped.'}
        </Text>
      )}
    </>
  );
}
