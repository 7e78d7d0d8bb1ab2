import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { toastProblem } from '../../parts/toast.ts';
import { useIsOwner } from '../../shell/workspace.ts';

/** Turning a form off says what will happen and asks first; turning it on is harmless. */
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
        title={`Turn off ${form.name}?`}
        action="Turn off"
        mutation={{ ...change, mutate: () => change.mutate(false) }}
        onClose={ask.close}
      >
        Every lead for this form is then rejected, whether sent with a token, by webhook or by a web page.
        Diagnostics show the reason <i>form_inactive</i>. Existing leads are kept, and you can turn it on
        again at any time.
      </Confirm>
    </>
  );
}
