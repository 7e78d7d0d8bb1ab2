import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiProblem, isMissing } from '../api/client.ts';
import { Icon, type IconName } from './icons.tsx';
import { ButtonLink } from './links.tsx';

export function Loading({ rows = 4, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {[...Array(rows).keys()].map((row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}

const failureTitles: Record<string, string> = {
  offline: 'No connection',
  unavailable: 'Service unavailable',
  not_found: 'Not found',
  internal: 'Something went wrong on our side',
};

function failureTitle(error: Error): string {
  const code = error instanceof ApiProblem ? error.code : '';
  if (code !== 'forbidden') return failureTitles[code] ?? 'Something went wrong';
  return window.location.pathname.startsWith('/operator') ? 'Operators only' : 'Owners only';
}

/** What does not exist cannot be tried again. The URL above that of one thing is its list. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const { fullPath } = useMatch({ strict: false });
  const isForbidden = error instanceof ApiProblem && error.code === 'forbidden';
  const isGone = isMissing(error);
  return (
    <Alert
      color={isGone ? 'gray' : 'red'}
      title={failureTitle(error)}
      icon={<Icon name={isGone ? 'search' : 'alert'} />}
    >
      <Group justify="space-between" align="center">
        <Text size="sm">
          {error.message} {isGone && 'It may no longer exist, or the link is incomplete.'}
        </Text>
        {isGone && /\$workspaceId\/.*\$\w+$/.test(fullPath) && (
          <ButtonLink from={fullPath} to=".." search size="xs" variant="default">
            Open the list
          </ButtonLink>
        )}
        {retry && !isForbidden && !isGone && (
          <Button size="xs" variant="default" onClick={retry} leftSection={<Icon name="refresh" size={14} />}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

/** What this is, why it is empty, and what to do next. */
export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" className="panel">
      <Text c="dimmed" component="div">
        <Icon name={icon} size={30} />
      </Text>
      <Title order={2} size="h4" ta="center">
        {title}
      </Title>
      <Text size="sm" c="dimmed" ta="center" maw={460} component="div">
        {text}
      </Text>
      {children}
    </Stack>
  );
}

/** The bar above the page says why, and retries. */
export function NotLoadedYet() {
  return (
    <Text size="sm" c="dimmed" className="panel" p="md" role="status">
      Not loaded yet. This appears when Leadgate responds again.
    </Text>
  );
}

/** Shows the data of a query, or why there is none yet. Old data stays while it is fetched again. */
export function Loaded<Data>(props: {
  query: UseQueryResult<Data>;
  rows?: number;
  children: (data: Data) => ReactNode;
}) {
  const { query, rows, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isPaused) return <NotLoadedYet />;
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading rows={rows ?? 4} />;
}
