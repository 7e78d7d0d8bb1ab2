import { useMantineColorScheme } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formsQuery } from '../../api/queries.ts';
import { type AskedDialog, askFor } from '../../parts/dialogs/asked-dialog.ts';
import { areShortcutsOn, setShortcutsOn } from '../../parts/keys/use-keys.ts';
import { toastDone } from '../../parts/toast.ts';
import { pagesFor } from '../navigation/workspace-pages.ts';
import { useSignOut } from '../sign-out.ts';
import { useMe, useNavigatedWorkspace, type WorkspaceOfMine } from '../workspace.ts';
import type { PaletteItem } from './items.ts';

/** Everything but leads, which the service searches. */
export function useItems(onShortcuts: () => void): PaletteItem[] {
  const workspace = useNavigatedWorkspace();
  const forms = useForms(workspace);
  return [
    ...usePages(workspace),
    ...forms,
    ...useCreations(workspace, forms.length > 0),
    ...useActions(onShortcuts),
    ...useWorkspaces(workspace),
  ];
}

function usePages(workspace: WorkspaceOfMine | undefined): PaletteItem[] {
  const navigate = useNavigate();
  const isOperator = useMe()?.user.operator === true;
  const inWorkspace = pagesFor(workspace?.role).map(
    ({ to, label, icon }): PaletteItem => ({
      id: to,
      group: 'Pages',
      label,
      icon,
      run: () => void navigate({ to, params: { workspaceId: workspace?.id ?? '' } }),
    }),
  );
  const forOperators = [
    { to: '/operator', label: 'Operator', icon: 'operator' },
    { to: '/operator/quarantine', label: 'Quarantine', icon: 'quarantine' },
  ] as const;
  const others = [
    ...(isOperator ? forOperators : []),
    { to: '/account', label: 'Your account', icon: 'person' },
  ] as const;
  return [
    ...(workspace === undefined ? [] : inWorkspace),
    ...others.map(
      ({ to, label, icon }): PaletteItem => ({
        id: to,
        group: 'Pages',
        label,
        icon,
        ...(to === '/account' && { words: 'password sessions' }),
        run: () => void navigate({ to }),
      }),
    ),
  ];
}

function useForms(workspace: WorkspaceOfMine | undefined): PaletteItem[] {
  const navigate = useNavigate();
  const forms = useQuery({ ...formsQuery(workspace?.id ?? ''), enabled: workspace !== undefined });
  return (forms.data?.items ?? []).map(({ id, name, slug }) => ({
    id,
    group: 'Forms',
    label: name,
    detail: slug,
    icon: 'forms',
    run: () =>
      void navigate({
        to: '/w/$workspaceId/forms/$formId',
        params: { workspaceId: workspace?.id ?? '', formId: id },
      }),
  }));
}

const creations = [
  { dialog: 'form', to: '/w/$workspaceId/forms', label: 'Create form', icon: 'plus' },
  { dialog: 'token', to: '/w/$workspaceId/tokens', label: 'Create ingest token', icon: 'token' },
  { dialog: 'invitation', to: '/w/$workspaceId/workspace', label: 'Invite someone', icon: 'person' },
] as const satisfies readonly { dialog: AskedDialog; to: string; label: string; icon: string }[];

/** A token belongs to a form. */
function useCreations(workspace: WorkspaceOfMine | undefined, hasForms: boolean): PaletteItem[] {
  const navigate = useNavigate();
  if (workspace?.role !== 'owner') return [];
  const possible = creations.filter(({ dialog }) => dialog !== 'token' || hasForms);
  return possible.map(({ dialog, to, label, icon }) => ({
    id: `create-${dialog}`,
    group: 'Actions',
    label,
    icon,
    words: 'new add',
    run: () => {
      askFor(dialog);
      void navigate({ to, params: { workspaceId: workspace.id } });
    },
  }));
}

function useActions(onShortcuts: () => void): PaletteItem[] {
  const queryClient = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const areOn = areShortcutsOn();
  const action = (label: string, icon: PaletteItem['icon'], run: () => void, words = ''): PaletteItem => ({
    id: label,
    group: 'Actions',
    label,
    icon,
    words,
    run,
  });
  return [
    action('Refresh', 'refresh', () => void queryClient.refetchQueries({ type: 'active' }), 'reload'),
    action('Keyboard shortcuts', 'keyboard', onShortcuts, 'keys help'),
    action(
      areOn ? 'Turn off single-key shortcuts' : 'Turn on single-key shortcuts',
      'keyboard',
      () => {
        setShortcutsOn(!areOn);
        toastDone(areOn ? 'Single-key shortcuts are off.' : 'Single-key shortcuts are on.');
      },
      'keyboard',
    ),
    action('Light appearance', 'sun', () => setColorScheme('light'), 'theme colour color scheme'),
    action('Dark appearance', 'moon', () => setColorScheme('dark'), 'theme colour color scheme'),
    action('System appearance', 'screen', () => setColorScheme('auto'), 'theme colour color scheme'),
    action('Documentation', 'docs', () => window.location.assign('/docs'), 'help'),
    action('API reference', 'external', () => window.location.assign('/api/reference'), 'openapi help'),
    action('Sign out', 'exit', signOut, 'log out logout'),
  ];
}

function useWorkspaces(current: WorkspaceOfMine | undefined): PaletteItem[] {
  const navigate = useNavigate();
  const others = (useMe()?.workspaces ?? []).filter(({ id }) => id !== current?.id);
  return others.map(({ id, name }) => ({
    id,
    group: 'Workspaces',
    label: name,
    detail: 'Switch workspace',
    icon: 'workspace',
    run: () => void navigate({ to: '/w/$workspaceId', params: { workspaceId: id } }),
  }));
}
