import { Alert, Box, Button, Modal, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../api/client.ts';
import { destinationsQuery } from '../../../../api/destination-queries.ts';
import { useApiForm } from '../../../../parts/api-form.tsx';
import { DialogForm } from '../../../../parts/dialogs/dialog-form.tsx';
import { OverlapChoice, overlapDefault } from '../../../../parts/dialogs/overlap-choice.tsx';
import { Icon } from '../../../../parts/icons.tsx';
import { exactTime } from '../../../../parts/time.tsx';
import { useWorkspaceId } from '../../../../shell/workspace.ts';
import type { OfKind } from '../kind-words.ts';
import { ShownSecret } from './shown-secret.tsx';

export function SecretCard({ destination }: { destination: OfKind<'webhook'> }) {
  const until = destination.previous_secret_valid_until;
  const [isOpen, dialog] = useDisclosure();
  return (
    <Box className="panel" p="md">
      <Title order={2} size="h5" mb={4}>
        Signing secret
      </Title>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          Signs each request. It was shown once and cannot be shown again.
        </Text>
        {until !== null && (
          <Alert color="yellow" icon={<Icon name="clock" />} p="sm" w="100%">
            Requests are signed with both secrets until {exactTime(until)}.
          </Alert>
        )}
        <Button variant="default" leftSection={<Icon name="refresh" size={15} />} onClick={dialog.open}>
          Rotate secret
        </Button>
      </Stack>
      <RotateDialog destination={destination} opened={isOpen} onClose={dialog.close} />
    </Box>
  );
}

interface RotateDialogProps {
  readonly destination: OfKind<'webhook'>;
  readonly opened: boolean;
  onClose(): void;
}

function RotateDialog({ destination, opened, onClose }: RotateDialogProps) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: { secret: '', overlap_seconds: overlapDefault },
    send: ({ secret, overlap_seconds }) =>
      api('POST', '/workspaces/:workspace_id/destinations/:destination_id/secret-rotation', {
        params: { workspace_id: workspaceId, destination_id: destination.id },
        body: { overlap_seconds: Number(overlap_seconds), ...(secret === '' ? {} : { secret }) },
      }),
  });
  const close = () => {
    onClose();
    form.reset();
    void queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey });
  };
  const rotated = form.mutation.data;
  if (rotated) {
    const until = rotated.previous_secret_valid_until;
    return (
      <ShownSecret opened={opened} secret={rotated.secret} name={destination.name} onClose={close}>
        {until === null
          ? 'Only this secret signs from now on.'
          : `Requests are signed with both secrets until ${exactTime(until)}.`}
      </ShownSecret>
    );
  }
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>Rotate signing secret</Text>}>
      <DialogForm form={form} submitLabel="Rotate secret" onCancel={close}>
        <PasswordInput
          label="Your own secret"
          description="Leave empty to generate a strong one (recommended)."
          autoComplete="off"
          {...form.getInputProps('secret')}
        />
        <OverlapChoice
          label="Sign with the current secret, too, for"
          withoutOverlap="A receiver that still has the current secret rejects requests immediately. Choose this after a leak."
          withOverlap="The receiver keeps accepting requests while you move it to the new secret."
          value={form.values.overlap_seconds}
          input={form.getInputProps('overlap_seconds', { withError: false })}
        />
        {destination.previous_secret_valid_until !== null && (
          <Alert color="yellow" p="xs">
            The previous rotation ends now: its old secret no longer signs.
          </Alert>
        )}
      </DialogForm>
    </Modal>
  );
}
