import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dryRunQuery } from '../../../api/destination-queries.ts';
import { fieldErrors } from '../../../parts/api-form.tsx';
import { isComplete } from '../../../parts/conditions/condition.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { conditionsOf, type DestinationDraft } from './draft.ts';
import { selectionOf } from './sent-draft.ts';

const typingMs = 500;

/** Tries the draft on stored leads a moment after each change, as long as nothing in it is empty. */
export function useDryRun(draft: DestinationDraft, destinationId: string | null) {
  const workspaceId = useWorkspaceId();
  const [settled] = useDebouncedValue(draft, typingMs);
  const isReady =
    conditionsOf(settled.filter).rows.every(isComplete) &&
    (!usesMapping(settled) || settled.mapping.every(({ from }) => from !== ''));
  const query = useQuery({
    ...dryRunQuery(workspaceId, destinationId, selectionOf(settled)),
    enabled: isReady,
  });
  // What is being typed is not wrong yet.
  const isCurrent = isReady && settled === draft;
  const errors = isCurrent ? fieldErrors(query.error, undefined, settled) : [];
  // What is shown is out of date from the first key on.
  const isBusy = query.isFetching || settled !== draft;
  return { query, isReady, isBusy, errors: Object.fromEntries(errors.toReversed()) };
}

function usesMapping({ kind, format }: DestinationDraft): boolean {
  return kind === 'hubspot' || (kind === 'webhook' && format === 'mapped');
}

export type TriedDraft = ReturnType<typeof useDryRun>;
