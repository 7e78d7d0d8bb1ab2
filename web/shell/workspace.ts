import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Me, WorkspaceOfMine } from '../api/accounts.ts';
import { meQuery, workspaceQuery } from '../api/queries.ts';

export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}

/** The id in the address. Pages below /w/ always have one. */
export function useWorkspaceId(): string {
  return useParams({ strict: false }).workspaceId ?? '';
}

export function useFormId(): string {
  return useParams({ strict: false }).formId ?? '';
}

/** The workspace of the page: from the list of mine, or for an operator, who belongs to none, by itself. */
export function useWorkspace(): WorkspaceOfMine | undefined {
  const id = useWorkspaceId();
  const mine = useMe()?.workspaces.find((workspace) => workspace.id === id);
  const other = useQuery({ ...workspaceQuery(id), enabled: id !== '' && mine === undefined });
  return mine ?? (other.data && { ...other.data, role: null });
}

/** Owners, and the operator, may change things. What others may do is decided by the API; this only hides buttons. */
export function useIsOwner(): boolean {
  const me = useMe();
  const workspace = useWorkspace();
  return me?.user.operator === true || workspace?.role === 'owner';
}
