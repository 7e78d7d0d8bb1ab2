import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Me } from '../../src/contract/people.ts';
import { meQuery } from '../api/queries.ts';

export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}

/** The id in the URL. Empty outside /w/, where the shell asks for it too. */
export function useWorkspaceId(): string {
  return useParams({ strict: false }).workspaceId ?? '';
}

export function useFormId(): string {
  return useParams({ from: '/signed-in/w/$workspaceId/forms/$formId' }).formId;
}

export type WorkspaceOfMine = Me['workspaces'][number];

/** The workspace of the page, if the person is a member. */
export function useWorkspace(): WorkspaceOfMine | undefined {
  const id = useWorkspaceId();
  return useMe()?.workspaces.find((workspace) => workspace.id === id);
}

const visitedKey = 'leadgate-workspace';

/** Pages outside of workspaces keep the navigation of this one: the last that was visited, or else the first. */
export function lastVisited(workspaces: Me['workspaces']): WorkspaceOfMine | undefined {
  // Of this window first: another may have another workspace open.
  const ids = [sessionStorage, localStorage].map((storage) => storage.getItem(visitedKey));
  return ids
    .map((id) => workspaces.find((workspace) => workspace.id === id))
    .concat(workspaces)
    .find((workspace) => workspace !== undefined);
}

export function useRememberedVisit(): void {
  const id = useWorkspace()?.id;
  useEffect(() => {
    if (id === undefined) return;
    for (const storage of [sessionStorage, localStorage]) storage.setItem(visitedKey, id);
  }, [id]);
}

/** The workspace of the page, or the last visited one. Nothing at the URL of a workspace that is not ours. */
export function useNavigatedWorkspace(): WorkspaceOfMine | undefined {
  const workspaces = useMe()?.workspaces;
  const current = useWorkspace();
  const isElsewhere = useWorkspaceId() === '';
  return isElsewhere ? lastVisited(workspaces ?? []) : current;
}

/** The API decides what someone may do; this only hides what it would refuse. */
export function useIsOwner(): boolean {
  return useWorkspace()?.role === 'owner';
}
