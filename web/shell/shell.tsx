import { AppShell, Box, Burger, Container, Group, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useLive } from '../api/live/use-live.ts';
import { ConfirmPassword } from '../parts/dialogs/confirm-password.tsx';
import { Logo } from '../parts/logo.tsx';
import { Empty } from '../parts/states.tsx';
import { toastProblem } from '../parts/toast.ts';
import { AlarmBell } from './alarm-bell.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { useGuardedLinks } from './guarded-links.ts';
import { Navigation } from './navigation/navigation.tsx';
import { usePhoneMenu } from './navigation/phone-menu.ts';
import { WorkspaceSwitcher } from './navigation/workspace-switcher.tsx';
import { CommandDialogs, SearchButton, useCommands } from './palette/commands.tsx';
import { usePrefetchedPages } from './prefetch.ts';
import { RefreshButton } from './refresh-button.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { SuspendedBanner } from './suspended-banner.tsx';
import { LateToasts } from './toasts/late-toasts.tsx';
import { UserMenu } from './user-menu.tsx';
import { useRememberedVisit, useWorkspace, useWorkspaceId } from './workspace.ts';

export function Shell() {
  const menu = usePhoneMenu();
  const workspace = useWorkspace();
  const commands = useCommands();
  useLive(workspace?.id);
  const isForeign = useWorkspaceId() !== '' && workspace === undefined;
  useRememberedVisit();
  usePrefetchedPages();
  useGuardedLinks(toastUnreachable);
  return (
    <AppShell
      header={{ height: 52, collapsed: false }}
      navbar={{ width: 256, breakpoint: 'sm', collapsed: { mobile: !menu.isOpen } }}
      layout="alt"
    >
      <LateToasts />
      <SignInAgain />
      <ConfirmPassword />
      <CommandDialogs {...commands} />
      <a href="#content" className="skip" inert={menu.isCovering}>
        Skip to content
      </a>
      <AppShell.Header bg="var(--panel)" style={{ borderColor: 'var(--line)' }} inert={menu.isCovering}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" hiddenFrom="sm" wrap="nowrap">
            <Burger
              ref={menu.burger}
              opened={menu.isOpen}
              onClick={menu.open}
              size="sm"
              aria-label="Menu"
              aria-expanded={menu.isOpen}
            />
            <Logo size={24} />
          </Group>
          <Text size="sm" c="dimmed" className="cut">
            {workspace?.name ?? 'Leadgate'}
          </Text>
          <Group gap={4} wrap="nowrap">
            <SearchButton onClick={commands.search} />
            <AlarmBell />
            <RefreshButton />
            <UserMenu onShortcuts={commands.showShortcuts} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar bg="var(--panel)" style={{ borderColor: 'var(--line)' }} p="sm" {...menu.navbar}>
        <Group justify="space-between" mb="xs" h={36} px={6} wrap="nowrap">
          <Group gap={8} wrap="nowrap">
            <Logo size={24} />
            <Text fw={680}>Leadgate</Text>
          </Group>
          <Burger
            ref={menu.closeButton}
            opened={menu.isOpen}
            onClick={menu.close}
            size="sm"
            hiddenFrom="sm"
            aria-label="Close menu"
          />
        </Group>
        <WorkspaceSwitcher />
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main bg="var(--page)" inert={menu.isCovering}>
        <ConnectionBar />
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

const toastUnreachable = () =>
  toastProblem(new Error('Leadgate is not responding. Try again when it is back.'));

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
