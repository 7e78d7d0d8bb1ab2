import { Box, Radio, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { toastProblem } from '../../parts/toast.ts';

type Protection = Form['replay_protection'];

const choices: { value: Protection; label: string; description: string }[] = [
  {
    value: 'unkeyed',
    label: 'Return the original lead, unless there is a key',
    description: 'A repeated request without an idempotency key gets the original response. Recommended.',
  },
  {
    value: 'all',
    label: 'Always return the original lead',
    description: 'Even if the copy has a different idempotency key, or only one of the two has a key.',
  },
  {
    value: 'off',
    label: 'Create a new lead each time',
    description: 'For senders that sign two different leads with the same body in the same second.',
  },
];

/** What happens to a signed request that arrives again within its five minutes. */
export function ReplayCard({ form }: { form: Form }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (replay_protection: Protection) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
        body: { replay_protection },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey }),
    onError: toastProblem,
  });
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="xs" id="replay-title">
        Replay protection
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        A signature is valid for five minutes. If the same signed request arrives again in that time:
      </Text>
      <Radio.Group
        aria-labelledby="replay-title"
        value={change.isPending ? change.variables : form.replay_protection}
        onChange={(value) => change.mutate(value as Protection)}
      >
        <Stack gap="sm">
          {choices.map((choice) => (
            <Radio key={choice.value} {...choice} disabled={change.isPending} />
          ))}
        </Stack>
      </Radio.Group>
    </Box>
  );
}
