import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { formsQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import { isOwnVersion, leadViewsQuery } from './view-queries.ts';

/** What happened to the view in the URL that its reader should know: deleted, changed by someone else, or a form is gone. */
export function ViewNotice({ onSaveAsNew }: { onSaveAsNew: () => void }) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const { shown, search } = useLeadSearch();
  const views = useQuery(leadViewsQuery(workspaceId));
  const forms = useQuery(formsQuery(workspaceId)).data?.items;
  const changed = useChangedByOthers(shown.state === 'shown' ? shown.view : undefined);
  const toAll = (
    <Button size="compact-sm" variant="default" onClick={() => void navigate({ to: '.', search: {} })}>
      Show all leads
    </Button>
  );
  if (shown.state === 'failed' && views.error !== null)
    return <Failure error={views.error} retry={() => void views.refetch()} />;
  if (shown.state === 'missing')
    return <Notice text="This view does not exist, or was deleted. All leads are shown." actions={toAll} />;
  if (shown.state === 'deleted')
    return (
      <Notice
        text={`The view ${shown.view?.name} was deleted. Its filters stay until you leave.`}
        actions={
          <>
            <Button size="compact-sm" variant="default" onClick={onSaveAsNew}>
              Save as new
            </Button>
            {toAll}
          </>
        }
      />
    );
  const isFormGone = search.form_id !== undefined && forms?.every(({ id }) => id !== search.form_id) === true;
  return (
    <>
      {changed.isChanged && (
        <Notice
          text={
            shown.isEdited
              ? 'Someone else changed this view. You see your own changes; saving replaces theirs.'
              : 'Someone else changed this view just now. You see the new version.'
          }
          actions={
            <Button size="compact-sm" variant="default" onClick={changed.dismiss}>
              Dismiss
            </Button>
          }
        />
      )}
      {isFormGone && shown.state === 'shown' && (
        <Notice
          text="The form of this view was deleted. Leads that it received are still listed."
          actions={null}
        />
      )}
    </>
  );
}

/** Whether the version that is shown is newer than the one that this reader opened, and not their own. */
function useChangedByOthers(view: { readonly id: string; readonly version: number } | undefined) {
  const [opened, setOpened] = useState(view);
  const isOther = view?.id !== opened?.id;
  const isOwn = view !== undefined && isOwnVersion(view);
  useEffect(() => {
    if (isOther || isOwn) setOpened(view);
  }, [isOther, isOwn, view]);
  return {
    isChanged: !isOther && !isOwn && view !== undefined && view.version !== opened?.version,
    dismiss: () => setOpened(view),
  };
}

function Notice({ text, actions }: { text: string; actions: ReactNode }) {
  return (
    <Alert color="yellow" mb="sm" py="xs" icon={<Icon name="alert" />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{text}</Text>
        <Group gap="xs">{actions}</Group>
      </Group>
    </Alert>
  );
}
