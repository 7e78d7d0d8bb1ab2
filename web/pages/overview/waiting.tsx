import { Alert, Box, Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formsQuery, newestLeadsQuery, tokensQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { Samples } from '../../parts/samples.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ShownToken } from '../tokens/shown-token.tsx';

/** A ready command, until the first lead arrives and no new token is shown. */
export function Waiting() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const tokens = useQuery(tokensQuery(workspaceId));
  const newest = useQuery(newestLeadsQuery(workspaceId));
  const forms = useQuery(formsQuery(workspaceId));
  const hint = tokens.data?.items.find(({ status }) => status === 'active')?.hint;
  const formId = forms.data?.items.find(({ active }) => active)?.id;
  const create = useMutation({
    mutationFn: (form_id: string) =>
      api('POST', '/workspaces/:workspace_id/tokens', {
        params: { workspace_id: workspaceId },
        body: { name: 'First lead', form_id },
      }),
  });
  const close = () => {
    create.reset();
    void queryClient.invalidateQueries({ queryKey: tokensQuery(workspaceId).queryKey });
  };
  if ((newest.data?.items.length ?? 0) > 0 && create.data === undefined) return null;
  return (
    <Box className="panel" p="md">
      <Group justify="space-between" gap="xs" mb="sm">
        <Box flex="1 1 260px">
          <Title order={2} size="h5">
            Send your first lead
          </Title>
          <Text size="sm" c="dimmed">
            {formId === undefined && 'A token belongs to an active form, so create a form first.'}
            {formId && hint === undefined && 'Create a token, and copy the command that it comes with.'}
            {formId &&
              hint &&
              `Put your token (${hint}) in the variable LEADGATE_TOKEN and run this, or create a token and copy the command that it comes with.`}
          </Text>
        </Box>
        {formId && (
          <Button
            variant={hint === undefined ? 'filled' : 'default'}
            leftSection={<Icon name="plus" />}
            loading={create.isPending}
            onClick={() => create.mutate(formId)}
          >
            Create token
          </Button>
        )}
      </Group>
      {create.error && (
        <Alert color="red" role="alert" mb="sm">
          {create.error.message}
        </Alert>
      )}
      <Samples surface="token" />
      <Group gap={8} mt="md" role="status">
        <span className="pulse" />
        <Text size="sm">Waiting for the first lead…</Text>
      </Group>
      {create.data && (
        <ShownToken opened title={`Token ${create.data.name}`} created={create.data} onClose={close}>
          “Copy as curl” copies a command with this token, ready to paste. In a program, put the token in the
          variable LEADGATE_TOKEN:
        </ShownToken>
      )}
    </Box>
  );
}
