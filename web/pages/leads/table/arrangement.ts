import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { columnIdCharactersMax, columnsMax } from '../../../../src/contract/leads/columns.ts';
import type { LeadTableView } from '../../../../src/contract/leads/table.ts';
import { api } from '../../../api/client.ts';
import { leadTableQuery } from '../../../api/queries.ts';
import { toastProblem } from '../../../parts/toast.ts';
import { useMe, useWorkspaceId } from '../../../shell/workspace.ts';

const savingDelayMs = 300;
interface Arranged {
  readonly workspaceId: string;
  readonly formId: string | undefined;
  readonly view: LeadTableView | null;
}

const nothingChosen: LeadTableView['columns'] = [];

/**
 * How a person arranged the table of a form, or of all leads. The service stores it; the browser has a copy until the
 * service responds, and in case it does not.
 */
export function useArrangement(formId: string | undefined) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const query = leadTableQuery(workspaceId, formId);
  const { data } = useQuery(query);
  const [copy, keepCopy] = useLocalStorage<LeadTableView | null>({
    key: `leadgate-lead-table:${useMe()?.user.id ?? ''}:${workspaceId}:${formId ?? 'all'}`,
    defaultValue: null,
  });
  // One at a time: two requests in flight could arrive in the wrong order, and the older one would be kept.
  const saving = useMutation({
    mutationFn: (arranged: Arranged) =>
      api('PUT', '/workspaces/:workspace_id/lead-table', {
        params: { workspace_id: arranged.workspaceId },
        query: { form_id: arranged.formId },
        body: { view: arranged.view },
      }),
    scope: { id: 'lead-table' },
    onError: toastProblem,
  });
  // Holding down an arrow key makes many changes, of which the last one counts.
  const save = useDebouncedCallback(saving.mutate, { delay: savingDelayMs, flushOnUnmount: true });
  return {
    choices: (data === undefined ? copy : data.view)?.columns ?? nothingChosen,
    keep(columns: LeadTableView['columns'] | null) {
      const view = columns === null ? null : { columns: columns.filter(isStorable).slice(0, columnsMax) };
      keepCopy(view);
      // A response that is still in flight would undo the change.
      void queryClient.cancelQueries({ queryKey: query.queryKey });
      queryClient.setQueryData(query.queryKey, { view });
      save({ workspaceId, formId, view });
    },
  };
}

function isStorable({ id }: { readonly id: string }): boolean {
  return id.length <= columnIdCharactersMax;
}
