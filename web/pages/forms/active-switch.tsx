import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { toastProblem } from '../../parts/toast.ts';
import { useIsOwner } from '../../shell/workspace.ts';

/** Says what switching off does before it is done; switching on does no harm and is done at once. */
export function ActiveSwitch({ form, label }: { form: Form; label?: string }) {
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [isAsking, ask] = useDisclosure();
  const change = useMutation({
    mutationFn: (active: boolean) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
        body: { active },
      }),
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
    },
    onError: (error) => !isAsking && toastProblem(error),
  });
  return (
    <>
      <Switch
        checked={form.active}
        disabled={!isOwner || change.isPending}
        onChange={(event) => (event.currentTarget.checked ? change.mutate(true) : ask.open())}
        {...(label === undefined ? { 'aria-label': `${form.name} is active` } : { label })}
      />
      <Confirm
        opened={isAsking}
        title={`Switch off ${form.name}?`}
        action="Switch off"
        mutation={{ ...change, mutate: () => change.mutate(false) }}
        onClose={ask.close}
      >
        From then on every lead for this form is rejected, from tokens and webhooks alike. Diagnostics show
        the reason <i>form_inactive</i>. The leads you have stay, and you can switch it on again at any time.
      </Confirm>
    </>
  );
}
