import { Anchor, Box, Center, Container, Loader, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from '../parts/states.tsx';

export function PagePending() {
  return (
    <Center mih={240} role="status" aria-label="Loading">
      <Loader size="sm" type="dots" />
    </Center>
  );
}

/** A page that failed to load, for example because a new release replaced its file. */
export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const failure = error instanceof Error ? error : new Error(String(error));
  const isOldRelease = /dynamically imported module|module script/i.test(failure.message);
  const shown = isOldRelease ? new Error('A newer version of this page is available. Reload it.') : failure;
  const retry = () => (isOldRelease ? window.location.reload() : void router.invalidate());
  return (
    <Container size="sm" py="xl">
      <Failure error={shown} retry={retry} />
    </Container>
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
        <Anchor href="/">Go to the start page</Anchor>
      </Stack>
    </Box>
  );
}
