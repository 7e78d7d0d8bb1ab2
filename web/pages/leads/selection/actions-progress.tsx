import { Box, Button, CloseButton, Group, Progress, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { LeadAction } from '../../../../src/contract/leads/actions.ts';
import { toastProblem } from '../../../parts/toast.ts';
import { useIsOwner, useWorkspaceId } from '../../../shell/workspace.ts';
import { leadActionsQuery, stopAction, undoMarking } from './action-queries.ts';
import { progressText } from './action-words.ts';

const shownMs = 10 * 60_000;
const hiddenName = 'leadgate.hidden-lead-actions';

/** What is done to many leads: everything that is running, whoever started it, and what has ended last. */
export function ActionsProgress() {
  const workspaceId = useWorkspaceId();
  const { data } = useQuery(leadActionsQuery(workspaceId));
  const actions = data?.items ?? [];
  const [hidden, setHidden] = useState(() => sessionStorage.getItem(hiddenName));
  const running = actions.filter(({ state }) => state === 'running');
  useListRefreshed(data === undefined ? null : endedIn(actions));
  const [ended] = actions.filter(({ finished_at }) => finished_at !== null && isRecent(finished_at));
  const shown = ended === undefined || ended.id === hidden ? running : [...running, ended];
  return shown.map((action) => (
    <ActionProgress
      key={action.id}
      action={action}
      onHide={() => {
        sessionStorage.setItem(hiddenName, action.id);
        setHidden(action.id);
      }}
    />
  ));
}

const isRecent = (time: string) => Date.now() - Date.parse(time) < shownMs;

const endedIn = (actions: readonly LeadAction[]) =>
  JSON.stringify(actions.filter(({ state }) => state !== 'running').map(({ id }) => id));

/** The loaded leads have other verdicts, or are gone, when an action ends, even if it was so quick that nobody saw it run. */
function useListRefreshed(ended: string | null): void {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const before = useRef(ended);
  useEffect(() => {
    if (before.current !== null && ended !== null && ended !== before.current) {
      void queryClient.invalidateQueries({ queryKey: ['leads', workspaceId] });
      void queryClient.invalidateQueries({ queryKey: ['lead count', workspaceId] });
    }
    before.current = ended;
  }, [ended, queryClient, workspaceId]);
}

function ActionProgress({ action, onHide }: { action: LeadAction; onHide: () => void }) {
  const { state, total, done, undoable_until } = action;
  const isRunning = state === 'running';
  const isOwner = useIsOwner();
  return (
    <Box className="panel" p="sm" mb="sm" role="group" aria-label="Progress">
      <Group justify="space-between" align="center" wrap="nowrap" gap="sm">
        <Box flex={1} miw={0}>
          <Text size="sm" role="status" className="wrap">
            {progressText(action)}
          </Text>
          {isRunning && (
            <Progress
              mt={6}
              value={total === 0 ? 0 : (done / total) * 100}
              aria-label="Progress of the action"
            />
          )}
        </Box>
        {undoable_until !== null && <ActionButton label="Undo" action={action} act={undoMarking} />}
        {isRunning && (isOwner || action.action !== 'erasure') && (
          <ActionButton label="Stop" action={action} act={stopAction} />
        )}
        {!isRunning && <CloseButton onClick={onHide} aria-label="Hide progress" />}
      </Group>
    </Box>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly action: LeadAction;
  act(workspaceId: string, id: string): Promise<void>;
}

function ActionButton({ label, action, act }: ActionButtonProps) {
  const workspaceId = useWorkspaceId();
  const mutation = useMutation({ mutationFn: () => act(workspaceId, action.id), onError: toastProblem });
  return (
    <Button size="xs" variant="default" loading={mutation.isPending} onClick={() => mutation.mutate()}>
      {label}
    </Button>
  );
}
