import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useFormId, useWorkspaceId } from '../../shell/workspace.ts';
import type { ScoringSettings } from './settings-draft.ts';

const typingMs = 700;
export const leadsTried = 500;

/** Once it is started, tries the draft on stored leads again a moment after each change. */
export function useDraftDryRun(settings: ScoringSettings, isDirty: boolean) {
  const workspace_id = useWorkspaceId();
  const form_id = useFormId();
  const [isStarted, setStarted] = useState(false);
  const [settled] = useDebouncedValue(settings, typingMs);
  const isOn = isStarted && isDirty;
  const query = useQuery({
    queryKey: ['dry run', workspace_id, form_id, settled],
    queryFn: ({ signal }) =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/scoring/dry-run', {
        params: { workspace_id, form_id },
        body: { settings: settled, limit: leadsTried },
        signal,
      }),
    enabled: isOn,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return {
    isStarted: isOn,
    start: () => (isOn ? void query.refetch() : setStarted(true)),
    // What is shown is out of date from the first key on.
    isBusy: isOn && (query.isFetching || settled !== settings),
    result: isOn && query.error === null ? query.data : undefined,
    error: isOn ? query.error : null,
  };
}

export type TriedDraft = ReturnType<typeof useDraftDryRun>;
