import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Me } from '../../src/contract/people.ts';
import { meQuery } from '../api/queries.ts';

export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}

/** The id in the address. Pages below /w/ always have one; the shell, which asks too, stands around others as well. */
export function useWorkspaceId(): string {
  return useParams({ strict: false }).workspaceId ?? '';
}

export function useFormId(): string {
  return useParams({ from: '/signed-in/w/$workspaceId/forms/$formId' }).formId;
}

export type WorkspaceOfMine = Me['workspaces'][number];

/** The workspace of the page, if the person belongs to it. */
export function useWorkspace(): WorkspaceOfMine | undefined {
  const id = useWorkspaceId();
  return useMe()?.workspaces.find((workspace) => workspace.id === id);
}

/** What somebody may do is decided by the API; this only hides what it would refuse. */
export function useIsOwner(): boolean {
  return useWorkspace()?.role === 'owner';
}
