import { Box, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { heldSummaryQuery } from '../../api/held-queries.ts';
import { formsQuery } from '../../api/queries.ts';
import { TextLink } from '../../parts/links.tsx';
import { toastProblem } from '../../parts/toast.ts';

/** Whether rejected requests to the form are kept, within what its workspace and the operator allow. */
export function KeepRejected({ form }: { form: Form }) {
  const { workspace_id: workspaceId, id } = form;
  const queryClient = useQueryClient();
  const summary = useQuery(heldSummaryQuery(workspaceId, id)).data;
  const change = useMutation({
    mutationFn: (keeps_rejected: boolean) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: workspaceId, form_id: id },
        body: { keeps_rejected },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: formsQuery(workspaceId).queryKey }),
    onError: toastProblem,
  });
  return (
    <Box className="panel" p="md">
      <Switch
        label="Keep rejected requests of this form"
        checked={change.isPending ? change.variables : form.keeps_rejected}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <Text size="sm" c="dimmed" mt={6}>
        {summary?.is_off
          ? 'The operator has turned keeping off, so nothing new is kept.'
          : summary?.kept_days === 0
            ? 'The workspace keeps nothing at the moment.'
            : 'You can then still admit them as leads. What is kept already stays.'}{' '}
        <TextLink
          to="/w/$workspaceId/tokens/diagnostics/held"
          params={{ workspaceId }}
          search={{ form_id: id }}
          size="sm"
        >
          See what is held
        </TextLink>
      </Text>
    </Box>
  );
}
