import { useQuery } from '@tanstack/react-query';
import { formsQuery, tokensQuery } from '../../api/queries.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** The names of forms and tokens by their IDs. */
export function useNames(): ReadonlyMap<string, string> {
  const workspaceId = useWorkspaceId();
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  return new Map(
    [...(forms.data?.items ?? []), ...(tokens.data?.items ?? [])].map(({ id, name }) => [id, name]),
  );
}
