import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QuarantinedLead } from '../../../src/contract/operator.ts';
import { api, isMissing } from '../../api/client.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { toastDone } from '../../parts/toast.ts';

interface DecisionProps {
  readonly lead: QuarantinedLead;
}

/** It is not a failure if someone else decided first: the lead has left quarantine either way. */
function useDecision(decide: () => Promise<unknown>, done: string, close: () => void) {
  const queryClient = useQueryClient();
  const settle = (message: string) => {
    close();
    toastDone(message);
    return queryClient.invalidateQueries({ queryKey: ['operator'] });
  };
  return useMutation({
    mutationFn: async () => {
      try {
        await decide();
        return done;
      } catch (error) {
        if (isMissing(error)) return 'Somebody else has already decided.';
        throw error;
      }
    },
    onSuccess: settle,
  });
}

export function StoreButton({ lead }: DecisionProps) {
  const [isAsking, ask] = useDisclosure();
  const store = useDecision(
    () =>
      api('POST', '/operator/quarantine/:quarantine_id/store', {
        params: { quarantine_id: lead.id },
        body: {},
      }),
    'Lead stored.',
    ask.close,
  );
  return (
    <>
      <Button size="compact-sm" variant="light" onClick={ask.open} aria-label={`Store ${lead.submission_id}`}>
        Store
      </Button>
      <Confirm
        opened={isAsking}
        title="Store this lead?"
        action="Store lead"
        isHarmless
        mutation={store}
        onClose={ask.close}
      >
        It becomes a lead of {lead.workspace_name}, with its original ID and score. First fix what made
        PostgreSQL refuse it. The owners of the workspace see this in their audit log.
      </Confirm>
    </>
  );
}

export function DiscardButton({ lead }: DecisionProps) {
  const [isAsking, ask] = useDisclosure();
  const discard = useDecision(
    () => api('POST', '/operator/quarantine/:quarantine_id/discard', { params: { quarantine_id: lead.id } }),
    'Lead discarded.',
    ask.close,
  );
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={ask.open}
        aria-label={`Discard ${lead.submission_id}`}
      >
        Discard
      </Button>
      <Confirm
        opened={isAsking}
        title="Discard this lead?"
        action="Discard lead"
        mutation={discard}
        onClose={ask.close}
      >
        {lead.kind === 'refused'
          ? `The sender was told that the lead was accepted, but ${lead.workspace_name} will never see it. `
          : `${lead.workspace_name} keeps the earlier lead with the same key. `}
        This cannot be undone. The owners of the workspace see it in their audit log.
      </Confirm>
    </>
  );
}
