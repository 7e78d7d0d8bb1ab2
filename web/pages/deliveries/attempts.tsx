import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { WholeDelivery } from '../../../src/contract/destinations/deliveries.ts';
import { Icon } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { exactTime } from '../../parts/time.tsx';
import type { Kind } from '../destinations/kinds/kind-words.ts';
import { ResponseHead } from '../destinations/test-panel.tsx';
import { resultText } from './delivery-state.tsx';

type Attempt = WholeDelivery['tries'][number];

interface AttemptsProps {
  readonly tries: readonly Attempt[];
  /** How many there were, also those that are no longer kept. */
  readonly attempts: number;
  /** Of the destination; undefined if it was deleted. */
  readonly kind: Kind | undefined;
}

/** Newest first. */
export function Attempts({ tries, attempts, kind }: AttemptsProps) {
  if (tries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {attempts === 0 ? 'It has not been tried yet.' : 'Attempts are kept for 30 days.'}
      </Text>
    );
  return (
    <Box component="ol" m={0} p={0} className="history" aria-label="Attempts">
      {tries.toReversed().map((attempt, i) => (
        <AttemptRow
          key={attempt.n}
          attempt={attempt}
          kind={kind}
          isOpenFirst={i === 0 && attempt.error !== null}
        />
      ))}
    </Box>
  );
}

interface AttemptRowProps extends Pick<AttemptsProps, 'kind'> {
  readonly attempt: Attempt;
  readonly isOpenFirst: boolean;
}

function AttemptRow({ attempt, kind, isOpenFirst }: AttemptRowProps) {
  const { n, at, took_ms, status, error, response_head } = attempt;
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" pb="md" className="history-event">
      <Box className="history-icon">
        <Icon name={error === null ? 'check' : 'alert'} size={13} />
      </Box>
      <Box miw={0} flex={1}>
        <Text size="sm" className="wrap">
          {resultText(status, error) || 'No response'}
        </Text>
        <Text size="xs" c="dimmed">
          Attempt {n}, {exactTime(at)}, {numberText(took_ms)} ms
        </Text>
        {status !== null && (
          <Button
            size="compact-xs"
            variant="subtle"
            mt={4}
            ml={-8}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide response' : 'Show response'}
          </Button>
        )}
        {isOpen && status !== null && (
          <Box mt={4}>
            <ResponseHead head={response_head} status={status} kind={kind} />
          </Box>
        )}
      </Box>
    </Group>
  );
}
