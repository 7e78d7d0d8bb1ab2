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
        title="You belong to no workspace yet"
        text={
          mayCreate
            ? 'Create one, or ask an owner for an invitation to theirs.'
            : 'An owner can invite you: ask for an invitation link to your email address, and open it here.'
        }
      >
        {mayCreate && <Button onClick={creating.open}>Create workspace</Button>}
      </Empty>
      <CreateWorkspace opened={isCreating} onClose={creating.close} />
    </>
  );
}
