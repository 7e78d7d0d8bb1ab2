import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Form, WebhookSecretUse } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery, secretUseQuery } from '../../api/queries.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Tag, type Tone } from '../../parts/tag.tsx';
import { exactTime, TimeAgo } from '../../parts/time.tsx';
import { toastDone, toastProblem } from '../../parts/toast.ts';

type FormerSecretUse = NonNullable<WebhookSecretUse['previous_use']>;
const dayMs = 86_400_000;

/** While two secrets are valid: until when, how much the former one is still used, and how to end it. */
export function Overlap({ form, until }: { form: Form; until: string }) {
  const queryClient = useQueryClient();
  const use = useQuery(secretUseQuery(form.workspace_id, form.id));
  const end = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/forms/:form_id/webhook-secret/previous', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
      }),
    onSuccess: () => {
      toastDone('Only the new secret is valid now.');
      return queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
    },
    onError: toastProblem,
  });
  return (
    <Alert color="yellow" icon={<Icon name="clock" />} title="Two secrets are valid">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">The previous secret is valid until {exactTime(until)}.</Text>
        {use.data?.previous_use && <FormerUse use={use.data.previous_use} setAt={use.data.set_at} />}
        <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          End overlap now
        </Button>
      </Stack>
    </Alert>
  );
}

/** Each signature shows which secret made it, so nobody has to guess when the former one can go. */
function FormerUse({ use, setAt }: { use: FormerSecretUse; setAt: string | null }) {
  const { last_hour, last_at } = use;
  const [words, tone, icon] = verdictOf(use, setAt);
  return (
    <>
      <Text size="sm" component="div">
        {last_hour.leads === 0
          ? 'No leads arrived in the last hour. '
          : `In the last hour, ${numberText(last_hour.by_previous)} of ${countText(last_hour.leads, 'lead')} used the previous secret. `}
        {last_at === null ? (
          'It has not been used since the rotation.'
        ) : (
          <>
            It was last used <TimeAgo time={last_at} size="inherit" />.
          </>
        )}
      </Text>
      <Tag tone={tone} icon={icon}>
        {words}
      </Tag>
    </>
  );
}

/** A sender may be silent for hours, so only a day without the previous secret makes it safe to end. */
function verdictOf({ last_hour, last_at }: FormerSecretUse, setAt: string | null): [string, Tone, IconName] {
  if (last_hour.by_previous > 0) return ['Still in use: ending the overlap rejects leads', 'bad', 'alert'];
  const quietMs = Date.now() - Date.parse(last_at ?? setAt ?? '');
  if (quietMs > dayMs) return ['Safe to end: not used for 24 hours', 'good', 'check'];
  if (last_at !== null) return ['Used in the last 24 hours', 'warning', 'clock'];
  if (last_hour.leads > 0) return ['All leads so far use the new secret', 'good', 'check'];
  return ['No leads since the rotation', 'quiet', 'clock'];
}
