import { ActionIcon, Box, Button, Group, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { LeadView } from '../../../../src/contract/leads/views.ts';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { MenuLink } from '../../../parts/links.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import type { LeadColumns } from '../table/use-columns.ts';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { ViewNotice } from './view-notice.tsx';
import { leadViewsQuery } from './view-queries.ts';
import './views.css';

const SaveView = lazyDialog(() => import('./save-view.tsx'), 'SaveView');
const RenameView = lazyDialog(() => import('./rename-view.tsx'), 'RenameView');
const DeleteView = lazyDialog(() => import('./delete-view.tsx'), 'DeleteView');

/** More would push the current one off the screen; the menu has them all. */
const tabsMax = 8;

type Dialog = 'save' | 'rename' | 'delete' | null;

/** The saved views of the workspace as tabs, and what can be done with the one that is shown. */
export function ViewBar({ columns }: { columns: LeadColumns }) {
  const workspaceId = useWorkspaceId();
  const { shown, isFiltered, search } = useLeadSearch();
  const { view, state } = shown;
  const views = useQuery(leadViewsQuery(workspaceId)).data?.items ?? [];
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  const current = state === 'shown' ? view : undefined;
  const isArranged = isFiltered || search.sort !== undefined || search.order !== undefined;
  return (
    <>
      <Group gap="xs" mb="sm" wrap="nowrap" className="view-bar">
        <Box component="nav" aria-label="Saved views" className="view-tabs">
          <ViewTab name="All leads" isCurrent={state === 'none'} />
          {tabsOf(views, current).map((each) => (
            <ViewTab key={each.id} name={each.name} view={each} isCurrent={each.id === current?.id} />
          ))}
        </Box>
        {views.length > tabsMax && <AllViews views={views} current={current} />}
        {current !== undefined && <ViewMenu view={current} onDialog={setDialog} />}
        {state === 'none' && isArranged && (
          <Button size="compact-sm" variant="light" onClick={() => setDialog('save')} flex="none">
            Save view
          </Button>
        )}
      </Group>
      <ViewNotice onSaveAsNew={() => setDialog('save')} />
      <UnsavedChanges onSaveAsNew={() => setDialog('save')} />
      <SaveView opened={dialog === 'save'} onClose={close} columns={columns} />
      {current !== undefined && (
        <>
          <RenameView opened={dialog === 'rename'} onClose={close} view={current} />
          <DeleteView opened={dialog === 'delete'} onClose={close} view={current} />
        </>
      )}
    </>
  );
}

/** The first ones by name, and always the current one. */
function tabsOf(views: readonly LeadView[], current: LeadView | undefined): readonly LeadView[] {
  const first = views.slice(0, tabsMax);
  return current === undefined || first.some(({ id }) => id === current.id) ? first : [...first, current];
}

function ViewTab({ name, view, isCurrent }: { name: string; view?: LeadView; isCurrent: boolean }) {
  const workspaceId = useWorkspaceId();
  return (
    <Link
      to="/w/$workspaceId/leads"
      params={{ workspaceId }}
      search={view === undefined ? {} : { view: view.id }}
      className="view-tab"
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isCurrent ? 'page' : undefined}
      data-current={isCurrent || undefined}
      dir="auto"
    >
      {name}
    </Link>
  );
}

function AllViews({ views, current }: { views: readonly LeadView[]; current: LeadView | undefined }) {
  const workspaceId = useWorkspaceId();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          flex="none"
          rightSection={<Icon name="down" size={13} />}
        >
          All {views.length} views
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {views.map(({ id, name }) => (
          <MenuLink
            key={id}
            to="/w/$workspaceId/leads"
            params={{ workspaceId }}
            search={{ view: id }}
            rightSection={id === current?.id && <Icon name="check" size={14} />}
          >
            <span dir="auto">{name}</span>
          </MenuLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ViewMenu({ view, onDialog }: { view: LeadView; onDialog: (dialog: Dialog) => void }) {
  const { may_change, created_by } = view;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for view ${view.name}`}>
          <Icon name="more" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{creatorText(created_by)}</Menu.Label>
        {may_change ? (
          <>
            <Menu.Item onClick={() => onDialog('rename')}>Rename view</Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash" size={14} />}
              onClick={() => onDialog('delete')}
            >
              Delete view
            </Menu.Item>
          </>
        ) : (
          <Text size="xs" c="dimmed" px="sm" py={4}>
            Its creator and owners can rename and delete it.
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function creatorText(creator: LeadView['created_by']): string {
  if (creator === null) return 'Shared with the workspace';
  return creator.is_member ? `Created by ${creator.name}` : `Created by ${creator.name}, who has left`;
}
