import { Modal, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { columnIdCharactersMax } from '../../../../src/contract/leads/columns.ts';
import type { LeadTableView } from '../../../../src/contract/leads/table.ts';
import { api } from '../../../api/client.ts';
import { useApiForm } from '../../../parts/api-form.tsx';
import { DialogForm } from '../../../parts/dialogs/dialog-form.tsx';
import { toastDone } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import type { LeadColumns } from '../table/use-columns.ts';
import { useViewLayout } from './use-view-layout.ts';
import { showSaved } from './view-queries.ts';
import { viewFiltersOf } from './view-search.ts';

/** Of hundreds of keys that senders invented, the first ones. */
const columnsSavedMax = 100;

interface SaveViewProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly columns: LeadColumns;
}

/** Saves the filters, the order and the columns that are shown under a new name. */
export function SaveView({ opened, onClose, columns }: SaveViewProps) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const { search, shown } = useLeadSearch();
  const { forget } = useViewLayout(shown.view);
  const form = useApiForm({
    initialValues: { name: '' },
    send: ({ name }) =>
      api('POST', '/workspaces/:workspace_id/lead-views', {
        params: { workspace_id: workspaceId },
        body: { name, filters: viewFiltersOf(search), layout: layoutOf(columns) },
      }),
    onSuccess: (view) => {
      showSaved(workspaceId, view);
      if (shown.view !== undefined) forget();
      close();
      toastDone(`Saved as ${view.name}. Everyone in the workspace sees it.`);
      void navigate({ to: '.', search: { view: view.id } });
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New view</Text>}>
      <DialogForm form={form} submitLabel="Save view" onCancel={close}>
        <TextInput
          label="Name"
          description="Saves the filters, the order and the columns for everyone in the workspace."
          placeholder="Hot leads of this week"
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </DialogForm>
    </Modal>
  );
}

/** As they are shown, so that the view looks the same for everyone. */
function layoutOf({ columns }: LeadColumns): LeadTableView {
  return {
    columns: columns
      .filter(({ id }) => id.length <= columnIdCharactersMax)
      .slice(0, columnsSavedMax)
      .map(({ id, isShown, width }) => ({ id, shown: isShown, width })),
  };
}
