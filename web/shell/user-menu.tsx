import { ActionIcon, Avatar, Group, Menu, Stack, Text, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { MenuLink } from '../parts/links.tsx';
import { useSignOut } from './sign-out.ts';
import { useMe } from './workspace.ts';

export function UserMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const me = useMe();
  const signOut = useSignOut();
  return (
    <Menu width={248} position="bottom-end" shadow="md" onChange={setOpen}>
      <Menu.Target>
        <Tooltip label="Account and appearance" disabled={isOpen}>
          <ActionIcon variant="subtle" color="gray" radius="xl" size={34} aria-label="Account and appearance">
            <Avatar size={28} radius="xl" color="iris">
              <Icon name="person" size={16} />
            </Avatar>
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={580} c="var(--mantine-color-text)" className="cut">
            {me?.user.name}
          </Text>
          <Text size="xs" className="cut">
            {me?.user.email}
          </Text>
        </Menu.Label>
        <ColorScheme />
        <Menu.Divider />
        <MenuLink to="/account" leftSection={<Icon name="person" size={15} />}>
          Your account
        </MenuLink>
        <Menu.Item leftSection={<Icon name="keyboard" size={15} />} onClick={onShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item component="a" href="/api/reference" leftSection={<Icon name="external" size={15} />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="exit" size={15} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes = [
  { value: 'auto', label: 'System', icon: 'screen' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
] as const;

function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap={0} role="group" aria-label="Colour scheme">
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(value) => setColorScheme(value as (typeof schemes)[number]['value'])}
      >
        {schemes.map(({ value, label, icon }) => (
          <Menu.RadioItem key={value} value={value}>
            <Group gap="xs" wrap="nowrap">
              <Icon name={icon} size={15} />
              {label}
            </Group>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Stack>
  );
}
