import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { toastDone, toastProblem } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import { useViewLayout } from './use-view-layout.ts';
import { showSaved } from './view-queries.ts';
import { viewFiltersOf } from './view-search.ts';

/** What differs from the saved view, and what to do with it. */
export function UnsavedChanges({ onSaveAsNew }: { onSaveAsNew: () => void }) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const { search, shown } = useLeadSearch();
  const { view, state, isEdited } = shown;
  const ofView = useViewLayout(view);
  const saving = useMutation({
    mutationFn: (known: NonNullable<typeof view>) =>
      api('PATCH', '/workspaces/:workspace_id/lead-views/:view_id', {
        params: { workspace_id: workspaceId, view_id: known.id },
        body: {
          filters: viewFiltersOf(search),
          ...(ofView.isChanged ? { layout: ofView.layout } : {}),
          // What someone else changed meanwhile is on this page already, with a notice.
          expected_version: known.version,
        },
      }),
    onSuccess: async (changed) => {
      showSaved(workspaceId, changed);
      ofView.forget();
      await navigate({ to: '.', search: { view: changed.id }, replace: true });
      toastDone(`Saved ${changed.name}.`);
    },
    onError: toastProblem,
  });
  if (view === undefined || state !== 'shown' || !(isEdited || ofView.isChanged)) return null;
  const reset = () => {
    ofView.forget();
    void navigate({ to: '.', search: { view: view.id } });
  };
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Unsaved changes">
      <Text size="sm" c="dimmed" role="status">
        Unsaved changes
      </Text>
      {view.may_change && (
        <Button size="compact-sm" loading={saving.isPending} onClick={() => saving.mutate(view)}>
          Save
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={onSaveAsNew}>
        Save as new
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={reset}>
        Reset
      </Button>
    </Group>
  );
}
