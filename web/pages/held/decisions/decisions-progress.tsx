import { Box, Button, CloseButton, Group, Progress, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { HeldDecision } from '../../../../src/contract/held/decisions.ts';
import { api } from '../../../api/client.ts';
import { countText, numberText } from '../../../parts/numbers.ts';
import { toastProblem } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';

interface DecisionsProgressProps {
  readonly decisions: readonly HeldDecision[];
  onHide(): void;
}

/** How far selections are decided: those that are running, whoever started them, and the one in the URL. */
export function DecisionsProgress({ decisions, onHide }: DecisionsProgressProps) {
  return decisions.map((decision) => (
    <DecisionProgress key={decision.id} decision={decision} onHide={onHide} />
  ));
}

function DecisionProgress({ decision, onHide }: { decision: HeldDecision; onHide: () => void }) {
  const { kind, state, total, done } = decision;
  const isRunning = state === 'running';
  useListRefreshed(isRunning);
  return (
    <Box className="panel" p="md" mb="md" role="group" aria-label={nouns[kind]}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Box flex={1} miw={0}>
          <Text size="sm" mb={6} role="status" className="wrap">
            {progressText(decision)}
          </Text>
          <Progress
            value={total === 0 ? 100 : (done / total) * 100}
            aria-label={`Progress of the ${nouns[kind].toLowerCase()}`}
            {...(state === 'finished' ? { color: 'teal' } : {})}
          />
        </Box>
        {isRunning ? (
          <StopButton decision={decision} />
        ) : (
          <CloseButton onClick={onHide} aria-label="Hide progress" />
        )}
      </Group>
    </Box>
  );
}

/** The list has one page or several, and changes as a whole when a decision ends. */
function useListRefreshed(isRunning: boolean): void {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning)
      void queryClient.invalidateQueries({ queryKey: ['held', workspaceId] });
    wasRunning.current = isRunning;
  }, [isRunning, queryClient, workspaceId]);
}

function StopButton({ decision }: { decision: HeldDecision }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/held/admissions/:decision_id/stop', {
        params: { workspace_id: workspaceId, decision_id: decision.id },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['held', workspaceId] }),
    onError: toastProblem,
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={stop.isPending}
      onClick={() => stop.mutate()}
      aria-label={`Stop the ${nouns[decision.kind].toLowerCase()}`}
    >
      Stop
    </Button>
  );
}

const nouns = { admission: 'Admission', discard: 'Discard' } as const;
const verbs = {
  admission: { doing: 'Admitting', done: 'admitted' },
  discard: { doing: 'Discarding', done: 'discarded' },
} as const;

export function progressText({ kind, state, total, done, decided, created_by }: HeldDecision): string {
  const { doing, done: past } = verbs[kind];
  if (state === 'running')
    return `${doing}: ${numberText(done)} of ${countText(total, 'request')}. Started by ${created_by}.`;
  const stopped = state === 'stopped' ? `Stopped after ${numberText(done)} of ${numberText(total)}. ` : '';
  const others = done - decided;
  const left =
    others === 0
      ? ''
      : ` ${numberText(others)} ${others === 1 ? 'was' : 'were'} left out: an equal lead exists, or ${others === 1 ? 'it was' : 'they were'} decided or expired meanwhile.`;
  return `${stopped}${countText(decided, 'request')} ${past}.${left}`;
}
