import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../../src/contract/people/sessions.ts';
import { api, callAuth } from '../../api/client.ts';
import { sessionsQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { countText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone, toastProblem } from '../../parts/toast.ts';

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Box className="panel" p="lg">
      <Loaded query={sessions} rows={2}>
        {({ items }) => (
          <>
            <Group justify="space-between" mb="xs" gap="xs">
              <Title order={2} size="h5">
                Sessions
              </Title>
              <EndOthers others={items.filter(({ current }) => !current).length} />
            </Group>
            {items.map((session) => (
              <Row key={session.id} session={session} />
            ))}
          </>
        )}
      </Loaded>
    </Box>
  );
}

function EndOthers({ others }: { others: number }) {
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const end = useMutation({
    mutationFn: () => api('DELETE', '/me/sessions'),
    onSuccess: ({ ended }) => {
      ask.close();
      toastDone(`${countText(ended, 'other session')} signed out.`);
      return queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <>
      {others > 0 && (
        <Button size="xs" variant="light" color="red" onClick={ask.open}>
          Sign out others
        </Button>
      )}
      <Confirm
        opened={isAsking}
        title={`Sign out ${countText(others, 'other session')}?`}
        action="Sign out others"
        mutation={end}
        onClose={ask.close}
      >
        Every other browser and program that uses your account is signed out immediately. You stay signed in
        here.
      </Confirm>
    </>
  );
}

function Row({ session }: { session: Session }) {
  const { name, current, created_at, last_seen_at } = session;
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: async () => {
      // The cookie of this browser goes as well.
      if (current) await callAuth('/sign-out', {});
      else await api('DELETE', '/me/sessions/:session_id', { params: { session_id: session.id } });
    },
    onSuccess: () => {
      if (current) window.location.assign('/sign-in');
      else toastDone(`${name} is signed out.`);
    },
    onError: toastProblem,
    // Also after a failure: the session may have ended elsewhere.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Group justify="space-between" wrap="nowrap" py={8} className="field">
      <Box miw={0}>
        <Group gap={6}>
          <Text size="sm" fw={550} className="wrap">
            {name}
          </Text>
          {current && <Tag tone="good">This device</Tag>}
        </Group>
        <Text size="xs" c="dimmed" component="div" className="wrap">
          {placeOf(session)}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          Signed in <TimeAgo time={created_at} size="xs" /> ·{' '}
          {current ? (
            'in use now'
          ) : (
            <>
              last seen <TimeAgo time={last_seen_at} size="xs" />
            </>
          )}
        </Text>
      </Box>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        flex="none"
        loading={end.isPending}
        aria-label={`Sign out ${name}${current ? ', this device' : ''}`}
        onClick={() => end.mutate()}
      >
        Sign out
      </Button>
    </Group>
  );
}

/** There is no map of addresses to cities, and a wrong city would alarm people. */
function placeOf({ address, same_network }: Session): string {
  if (address === null) return 'Unknown address';
  return same_network ? `${address} (this network)` : address;
}
