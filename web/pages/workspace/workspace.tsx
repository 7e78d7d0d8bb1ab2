import { Box, Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { meQuery, workspaceQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Loading } from '../../parts/states.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useIsOwner, useMe, useWorkspace, type WorkspaceOfMine } from '../../shell/workspace.ts';
import { AuditLog } from './audit-log.tsx';
import { HeldDays } from './held-days.tsx';
import { People } from './people.tsx';
import { Suspension } from './suspension.tsx';

export function WorkspacePage() {
  const workspace = useWorkspace();
  const isOwner = useIsOwner();
  const isOperator = useMe()?.user.operator === true;
  return (
    <>
      <PageHeader title="Workspace" text={isOwner && 'Name, people, rejected requests and audit log.'} />
      {workspace === undefined ? (
        <Loading />
      ) : (
        <Settled>
          <Stack gap="lg">
            <Name key={workspace.id} workspace={workspace} isOwner={isOwner} />
            {isOwner && <People workspaceId={workspace.id} />}
            {isOwner && <HeldDays workspaceId={workspace.id} />}
            {isOwner && <AuditLog workspaceId={workspace.id} />}
            {isOperator && <Suspension workspace={workspace} />}
          </Stack>
        </Settled>
      )}
    </>
  );
}

function Name({ workspace, isOwner }: { workspace: WorkspaceOfMine; isOwner: boolean }) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: { name: workspace.name },
    send: (body) =>
      api('PATCH', '/workspaces/:workspace_id', { params: { workspace_id: workspace.id }, body }),
    async onSuccess(_, sent) {
      form.resetDirty(sent);
      toastDone('Name saved.');
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: workspaceQuery(workspace.id).queryKey });
    },
  });
  return (
    <Box component="form" className="panel" p="lg" onSubmit={form.submit}>
      <Title order={2} size="h5" mb="sm">
        Name
      </Title>
      <Group align="flex-start" gap="xs">
        <TextInput
          aria-label="Workspace name"
          w={{ base: '100%', xs: 340 }}
          readOnly={!isOwner}
          {...form.getInputProps('name')}
          error={form.errors.name ?? form.problem}
        />
        {isOwner && (
          <Button
            type="submit"
            variant="default"
            disabled={!form.isDirty()}
            loading={form.mutation.isPending}
          >
            Save
          </Button>
        )}
      </Group>
    </Box>
  );
}
