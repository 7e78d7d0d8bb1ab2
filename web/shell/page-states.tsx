import { Box, Center, Container, Loader, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Failure } from '../parts/states.tsx';
import { ConnectionBar } from './connection-bar.tsx';

export function PagePending() {
  return (
    <Center mih={240} role="status" aria-label="Loading">
      <Loader size="sm" type="dots" />
    </Center>
  );
}

export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const failure = error instanceof Error ? error : new Error(String(error));
  return (
    <Container size="sm" py="xl">
      <Failure error={failure} retry={() => void router.invalidate()} />
    </Container>
  );
}

/** Before there is a shell to show the bar. */
export function ShellPending() {
  return (
    <main>
      <ConnectionBar />
      <PagePending />
    </main>
  );
}

export function ShellFailure(props: ErrorComponentProps) {
  return (
    <main>
      <ConnectionBar />
      <PageFailure {...props} />
    </main>
  );
}

export function NotFound() {
  return (
    <Box component="main" py={96}>
      <Stack align="center" gap="xs">
        <Title order={1} size="h3">
          Page not found
        </Title>
        <Text c="dimmed">The page may have moved, or the link is incomplete.</Text>
        <Link to="/">Go to the start page</Link>
      </Stack>
    </Box>
  );
}
