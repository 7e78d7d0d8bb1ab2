import { ActionIcon, Box, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../api/client.ts';
import { destinationQuery, destinationsQuery } from '../../../../api/destination-queries.ts';
import { Icon } from '../../../../parts/icons.tsx';
import { sentence } from '../../../../parts/text/sentence.ts';
import { TimeAgo } from '../../../../parts/time.tsx';
import { toastDone, toastProblem } from '../../../../parts/toast.ts';
import { useWorkspaceId } from '../../../../shell/workspace.ts';
import { type Recipient, RecipientTag } from './recipient-tag.tsx';

interface RecipientRowProps {
  readonly address: string;
  /** Null until it is saved. */
  readonly recipient: Recipient | null;
  readonly destinationId: string;
  onRemove(): void;
}

export function RecipientRow({ address, recipient, destinationId, onRemove }: RecipientRowProps) {
  return (
    <Box component="li" py={8} className="field" aria-label={address}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Group gap="xs" miw={0} flex={1}>
          <Text size="sm" className="wrap">
            {address}
          </Text>
          <RecipientTag status={recipient?.status ?? 'new'} />
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          onClick={onRemove}
          aria-label={`Remove ${address}`}
        >
          <Icon name="trash" size={15} />
        </ActionIcon>
      </Group>
      {recipient === null ? (
        <Text size="xs" c="dimmed">
          Not saved yet.
        </Text>
      ) : (
        <Note recipient={recipient} destinationId={destinationId} />
      )}
    </Box>
  );
}

function Note({ recipient, destinationId }: { recipient: Recipient; destinationId: string }) {
  const { status, asked_at, last_error } = recipient;
  const isOut = status === 'waiting' || status === 'unsubscribed';
  return (
    <>
      {last_error !== null && (
        <Text size="xs" c="var(--rejected-text)" className="wrap">
          The mail server did not accept the last email: {sentence(last_error)}
        </Text>
      )}
      {isOut && (
        <Group gap="xs" ml={asked_at === null ? -8 : 0}>
          {asked_at !== null && (
            <Text size="xs" c="dimmed" component="div">
              Link sent <TimeAgo time={asked_at} size="xs" />
            </Text>
          )}
          <AskButton recipient={recipient} destinationId={destinationId} />
        </Group>
      )}
    </>
  );
}

/** Only a new confirmation by the reader changes anything. */
function AskButton({ recipient, destinationId }: { recipient: Recipient; destinationId: string }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const { address, status } = recipient;
  const ask = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/destinations/:destination_id/recipients/confirmation', {
        params: { workspace_id: workspaceId, destination_id: destinationId },
        body: { address },
      }),
    onSuccess(changed) {
      toastDone(`A link was sent to ${address}.`);
      queryClient.setQueryData(destinationQuery(workspaceId, destinationId).queryKey, changed);
      return queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey });
    },
    onError: toastProblem,
  });
  const label = status === 'unsubscribed' ? 'Ask again' : 'Send link again';
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={ask.isPending}
      onClick={() => ask.mutate()}
      aria-label={`${label}: ${address}`}
    >
      {label}
    </Button>
  );
}
