import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { columnIdCharactersMax, columnsMax } from '../../../../src/contract/leads/columns.ts';
import type { LeadTableView } from '../../../../src/contract/leads/table.ts';
import type { LeadView } from '../../../../src/contract/leads/views.ts';
import { api } from '../../../api/client.ts';
import { leadTableQuery } from '../../../api/queries.ts';
import { toastProblem } from '../../../parts/toast.ts';
import { useMe, useWorkspaceId } from '../../../shell/workspace.ts';
import { useViewLayout } from '../views/use-view-layout.ts';

const savingDelayMs = 300;
interface Arranged {
  readonly workspaceId: string;
  readonly formId: string | undefined;
  readonly view: LeadTableView | null;
}

const nothingChosen: LeadTableView['columns'] = [];

/**
 * How a person arranged the table of a form, or of all leads. The service stores it; the browser has a copy until the
 * service responds, and in case it does not. A saved view has columns of its own, for everyone.
 */
export function useArrangement(formId: string | undefined, view: LeadView | undefined) {
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
  const ofView = useViewLayout(view);
  if (view !== undefined)
    return {
      choices: ofView.layout?.columns ?? nothingChosen,
      keep: (columns: LeadTableView['columns'] | null) => ofView.change(storable(columns)),
    };
  return {
    choices: (data === undefined ? copy : data.view)?.columns ?? nothingChosen,
    keep(columns: LeadTableView['columns'] | null) {
      const layout = storable(columns);
      keepCopy(layout);
      // A response that is still in flight would undo the change.
      void queryClient.cancelQueries({ queryKey: query.queryKey });
      queryClient.setQueryData(query.queryKey, { view: layout });
      save({ workspaceId, formId, view: layout });
    },
  };
}

function storable(columns: LeadTableView['columns'] | null): LeadTableView | null {
  return columns === null ? null : { columns: columns.filter(isStorable).slice(0, columnsMax) };
}

function isStorable({ id }: { readonly id: string }): boolean {
  return id.length <= columnIdCharactersMax;
}
