import '@mantine/notifications/styles.layer.css';
import { AppShell, Box, Burger, Container, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Logo } from '../parts/logo.tsx';
import { Empty } from '../parts/states.tsx';
import { Navigation } from './navigation.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { SuspendedBanner } from './suspended-banner.tsx';
import { UserMenu } from './user-menu.tsx';
import { useWorkspace, useWorkspaceId } from './workspace.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const workspace = useWorkspace();
  const isForeign = useWorkspaceId() !== '' && workspace === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page changes.
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: 52, collapsed: false }}
      navbar={{ width: 256, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      layout="alt"
    >
      <Notifications position="bottom-right" />
      <SignInAgain />
      <a href="#content" className="skip">
        Skip to content
      </a>
      <AppShell.Header bg="var(--panel)" style={{ borderColor: 'var(--line)' }}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" hiddenFrom="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
            <Logo size={24} />
          </Group>
          <Text size="sm" c="dimmed" className="cut">
            {workspace?.name ?? 'Leadgate'}
          </Text>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar bg="var(--panel)" style={{ borderColor: 'var(--line)' }} p="sm">
        <Group justify="space-between" mb="xs" h={36} px={6} wrap="nowrap">
          <Group gap={8} wrap="nowrap">
            <Logo size={24} />
            <Text fw={680}>Leadgate</Text>
          </Group>
          <Burger opened={isOpen} onClick={toggle} size="sm" hiddenFrom="sm" aria-label="Close menu" />
        </Group>
        <WorkspaceSwitcher />
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main bg="var(--page)">
        <SuspendedBanner />
        <Box component="div" id="content" tabIndex={-1} style={{ outline: 'none' }}>
          <Container size={1180} px={{ base: 'md', sm: 'xl' }} py={{ base: 'md', sm: 'xl' }}>
            {isForeign ? <NoSuchWorkspace /> : <Outlet />}
          </Container>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** The text is the same whether it exists or not. */
function NoSuchWorkspace() {
  return (
    <Empty
      icon="workspace"
      title="Workspace not found"
      text="It does not exist, or you are not a member. Choose one of your workspaces at the top left."
    />
  );
}
