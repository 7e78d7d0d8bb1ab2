import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CreateWorkspace } from '../../parts/dialogs/create-workspace.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMe } from '../../shell/workspace.ts';

export function NoWorkspace() {
  const mayCreate = useMe()?.may_create_workspaces === true;
  const [isCreating, creating] = useDisclosure();
  return (
    <>
      <PageHeader title="Welcome" />
      <Empty
        icon="workspace"
        title="No workspace yet"
        text={
          mayCreate
            ? 'Create one, or ask an owner to invite you to theirs.'
            : 'Ask an owner to invite you, or an operator to create a workspace for you, then open the link in the invitation.'
        }
      >
        {mayCreate && <Button onClick={creating.open}>Create workspace</Button>}
      </Empty>
      <CreateWorkspace opened={isCreating} onClose={creating.close} />
    </>
  );
}
