import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { api } from '../../../api/client.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { toastDone, toastProblem } from '../../../parts/toast.ts';
import { useIsOwner, useMe, useWorkspaceId } from '../../../shell/workspace.ts';
import { removeLead } from '../lead-cache.ts';
import { type Mark, markLead } from './marking.tsx';

/** A suspect lead can be marked either way. */
const marksFor: Record<Lead['verdict'], readonly NonNullable<Mark>[]> = {
  clean: ['spam'],
  suspect: ['not_spam', 'spam'],
  spam: ['not_spam'],
};

interface LeadActionsProps {
  readonly lead: Lead;
  onMarked(before: Lead, mark: NonNullable<Mark>): void;
  onErased(): void;
}

export function LeadActions({ lead, onMarked, onErased }: LeadActionsProps) {
  const workspaceId = useWorkspaceId();
  const by = useMe()?.user.email ?? '';
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [isAsking, ask] = useDisclosure();
  const mark = useMutation({
    async mutationFn(value: Mark) {
      await markLead(workspaceId, lead.submission_id, value, by);
      // As it was when the button was pressed; by now the page shows the new mark.
      return lead;
    },
    onSuccess: (before, value) => value !== null && onMarked(before, value),
    onError: toastProblem,
  });
  const erase = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/leads/:submission_id', {
        params: { workspace_id: workspaceId, submission_id: lead.submission_id },
      }),
    onSuccess() {
      onErased();
      toastDone('Lead erased.');
      removeLead(queryClient, workspaceId, lead.submission_id);
    },
  });
  // The second click of a double click would mark the next lead.
  const set = (value: Mark) => (event: MouseEvent) => event.detail < 2 && mark.mutate(value);
  return (
    <Group gap="xs" className="lead-actions">
      {marksFor[lead.verdict].map((value) => (
        <Button
          key={value}
          size="xs"
          variant="default"
          loading={mark.isPending && mark.variables === value}
          leftSection={<Icon name={value === 'spam' ? 'ban' : 'check'} size={14} />}
          onClick={set(value)}
        >
          {value === 'spam' ? 'Mark as spam' : 'Mark as not spam'}
        </Button>
      ))}
      {lead.mark !== null && (
        <Button size="xs" variant="subtle" color="gray" onClick={set(null)}>
          Remove mark
        </Button>
      )}
      {isOwner && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<Icon name="trash" size={14} />}
          onClick={ask.open}
        >
          Erase
        </Button>
      )}
      <Confirm
        opened={isAsking}
        title="Erase this lead?"
        action="Erase permanently"
        mutation={erase}
        onClose={ask.close}
      >
        The lead, its exact bytes, its enrichment and its marks are erased permanently, and exports no longer
        contain it. This cannot be undone.
      </Confirm>
    </Group>
  );
}
