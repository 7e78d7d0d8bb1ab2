import { Box, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { api } from '../../../api/client.ts';
import { formsQuery } from '../../../api/queries.ts';
import { toastProblem } from '../../../parts/toast.ts';

/** Whether the lead table and the pages of leads show keys that the form does not declare. */
export function UnknownKeys({ form }: { form: Form }) {
  const { workspace_id: workspaceId, id } = form;
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (unknown_keys: Form['unknown_keys']) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: workspaceId, form_id: id },
        body: { unknown_keys },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: formsQuery(workspaceId).queryKey }),
    onError: toastProblem,
  });
  return (
    <Box className="panel" p="md">
      <Switch
        label="Show undeclared keys of leads"
        checked={(change.isPending ? change.variables : form.unknown_keys) === 'shown'}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked ? 'shown' : 'hidden')}
      />
      <Text size="sm" c="dimmed" mt={6}>
        In the table and on the page of a lead. Hidden keys are still stored, searched and exported, and the
        exact bytes of a lead contain them.
      </Text>
    </Box>
  );
}
