import { Box, Button, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { browserQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { toastDone } from '../../parts/toast.ts';

/** For an emergency: every token that is out there stops working. */
export function TokensCard({ form: { id, workspace_id }, epoch }: { form: Form; epoch: number }) {
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const end = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/browser/end-tokens', {
        params: { workspace_id, form_id: id },
      }),
    onSuccess(settings) {
      ask.close();
      queryClient.setQueryData(browserQuery(workspace_id, id).queryKey, settings);
      toastDone(`All browser tokens have ended. The epoch is ${settings.epoch} now.`);
    },
  });
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="end-title">
      <Title order={2} size="h5" mb="xs" id="end-title">
        Browser tokens
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        If tokens have leaked, end all of them within a second. Pages get new ones by themselves. Current
        epoch: {epoch}.
      </Text>
      <Button
        variant="light"
        color="red"
        size="xs"
        leftSection={<Icon name="ban" size={14} />}
        onClick={ask.open}
      >
        End all browser tokens
      </Button>
      <Confirm
        opened={isAsking}
        title="End all browser tokens?"
        action="End tokens"
        mutation={end}
        onClose={() => {
          ask.close();
          end.reset();
        }}
      >
        Leads on their way with such a token are rejected with the reason <i>token_revoked</i>. Pages get new
        tokens for the next ones. A backend that signs tokens itself needs the new epoch, {epoch + 1}.
      </Confirm>
    </Box>
  );
}
