import { Avatar, Box, Group, Menu, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazyDialog } from '../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { MenuLink } from '../../parts/links.tsx';
import { Tag } from '../../parts/tag.tsx';
import { useMe, useNavigatedWorkspace } from '../workspace.ts';

const CreateWorkspace = lazyDialog(
  () => import('../../parts/dialogs/create-workspace.tsx'),
  'CreateWorkspace',
);

export function WorkspaceSwitcher() {
  const me = useMe();
  const current = useNavigatedWorkspace();
  const [isCreating, creating] = useDisclosure();
  return (
    <Menu width={260} position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton p={8} className="panel">
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <Group gap="xs" wrap="nowrap" miw={0}>
              <Avatar size={26} radius="sm" color="iris">
                <Icon name="workspace" size={15} />
              </Avatar>
              <Text size="sm" fw={580} className="cut">
                {current?.name ?? 'Workspaces'}
              </Text>
              <span className="only-read">Switch workspace</span>
            </Group>
            <Icon name="down" size={14} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        <ScrollArea.Autosize mah={320}>
          {me?.workspaces.map((workspace) => (
            <MenuLink
              key={workspace.id}
              to="/w/$workspaceId"
              params={{ workspaceId: workspace.id }}
              rightSection={workspace.id === current?.id ? <Icon name="check" size={14} /> : undefined}
            >
              <Group gap={6} wrap="nowrap">
                <Box className="cut">{workspace.name}</Box>
                {workspace.status === 'suspended' && <Tag tone="bad">Suspended</Tag>}
              </Group>
            </MenuLink>
          ))}
        </ScrollArea.Autosize>
        {me?.workspaces.length === 0 && <Menu.Item disabled>No workspaces</Menu.Item>}
        {me?.may_create_workspaces && (
          <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={creating.open}>
            New workspace
          </Menu.Item>
        )}
      </Menu.Dropdown>
      <CreateWorkspace opened={isCreating} onClose={creating.close} />
    </Menu>
  );
}
