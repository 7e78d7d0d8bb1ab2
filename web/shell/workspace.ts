import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
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

/** The API decides what somebody may do; this only hides what it would refuse. */
export function useIsOwner(): boolean {
  return useWorkspace()?.role === 'owner';
}
