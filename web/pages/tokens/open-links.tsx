import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Token } from '../../../src/contract/tokens.ts';
import { api } from '../../api/client.ts';
import { tokensQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { TimeUntil } from '../../parts/time.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';

/** The hand-over links of a token that nobody has opened yet. */
export function OpenLinks({ token }: { token: Token }) {
  return token.handover_links.map((link) => <OpenLink key={link.id} token={token} link={link} />);
}

function OpenLink({ token, link }: { token: Token; link: Token['handover_links'][number] }) {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const cancel = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/tokens/:token_id/handover-links/:link_id', {
        params: { workspace_id: workspaceId, token_id: token.id, link_id: link.id },
      }),
    // Someone may have opened it in the meantime, which the list then says.
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery(workspaceId).queryKey }),
    onSuccess: ask.close,
  });
  return (
    <Group gap={6} mt={2} wrap="nowrap">
      <Text size="xs" component="div">
        Unused hand-over link by {link.created_by ?? 'the operator'}, expires{' '}
        <TimeUntil time={link.expires_at} size="xs" />
      </Text>
      {isOwner && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          onClick={ask.open}
          aria-label={`Cancel link of ${token.name}`}
        >
          Cancel link
        </Button>
      )}
      <Confirm
        opened={isAsking}
        title="Cancel the hand-over link?"
        action="Cancel link"
        mutation={cancel}
        onClose={ask.close}
      >
        Nobody can open it any more. The token itself keeps working. To hand it over again, rotate it.
      </Confirm>
    </Group>
  );
}
