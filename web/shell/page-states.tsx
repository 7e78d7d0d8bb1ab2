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

/** A page that could not be loaded, also when its own file was replaced by a newer release. */
export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const fault = error instanceof Error ? error : new Error(String(error));
  const isOldRelease = /dynamically imported module|module script/i.test(fault.message);
  const shown = isOldRelease ? new Error('There is a newer version of this page. Load it again.') : fault;
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
          There is nothing at this address
        </Title>
        <Text c="dimmed">The page may have moved, or the link was cut off.</Text>
        <Anchor href="/">Go to the start</Anchor>
      </Stack>
    </Box>
  );
}
