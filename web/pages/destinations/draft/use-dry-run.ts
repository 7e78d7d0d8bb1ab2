import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dryRunQuery } from '../../../api/destination-queries.ts';
import { fieldErrors } from '../../../parts/api-form.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { isComplete } from './condition.ts';
import { conditionsOf, type DestinationDraft, selectionOf } from './draft.ts';

const typingMs = 500;

/** Tries the draft on stored leads a moment after each change, as long as nothing in it is empty. */
export function useDryRun(draft: DestinationDraft, destinationId: string | null) {
  const workspaceId = useWorkspaceId();
  const [settled] = useDebouncedValue(draft, typingMs);
  const isReady =
    conditionsOf(settled.filter).rows.every(isComplete) &&
    (settled.format !== 'mapped' || settled.mapping.every(({ from }) => from !== ''));
  const query = useQuery({
    ...dryRunQuery(workspaceId, destinationId, selectionOf(settled)),
    enabled: isReady,
  });
  // What is being typed is not wrong yet.
  const isCurrent = isReady && settled === draft;
  const errors = isCurrent ? fieldErrors(query.error, undefined, settled) : [];
  return { query, isReady, errors: Object.fromEntries(errors.toReversed()) };
}

export type TriedDraft = ReturnType<typeof useDryRun>;
