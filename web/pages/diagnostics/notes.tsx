import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { TextLink } from '../../parts/links.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

type Note = Diagnostics['notes'][number];

const texts: Record<Note['kind'], string> = {
  idempotency_body_differs:
    'An idempotency key was reused with a different body. The sender got the original response; the new body was not stored.',
  signature_repeated:
    'This lead has the same signature as an earlier one, but a different idempotency key. It may be a replay.',
};

/** Accepted submissions that an owner should look at. Hidden while there are none. */
export function Notes({ notes }: { notes: readonly Note[] }) {
  const workspaceId = useWorkspaceId();
  if (notes.length === 0) return null;
  return (
    <Box className="panel" p="md" mb="lg">
      <Title order={2} size="h5" mb="xs">
        Accepted, but worth a look
      </Title>
      <Stack gap="xs">
        {notes.map((note) => (
          <Group key={note.id} gap="sm" wrap="nowrap" align="baseline">
            <Box miw={90}>
              <TimeAgo time={note.at} />
            </Box>
            <Text size="sm">
              {texts[note.kind]}{' '}
              <TextLink
                to="/w/$workspaceId/leads/$leadId"
                params={{ workspaceId, leadId: note.submission_id }}
                size="sm"
              >
                View lead
              </TextLink>
            </Text>
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
