import { Alert, Box, Button, Group, NumberInput, Radio, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { heldDaysDefault, heldDaysMax } from '../../../src/contract/held/terms.ts';
import { api } from '../../api/client.ts';
import { heldSummaryQuery } from '../../api/held-queries.ts';
import { workspaceQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { countText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { toastDone } from '../../parts/toast.ts';

/** For how long the workspace keeps rejected requests. */
export function HeldDays({ workspaceId }: { workspaceId: string }) {
  const query = useQuery(workspaceQuery(workspaceId));
  const summary = useQuery(heldSummaryQuery(workspaceId)).data;
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="xs">
        Rejected requests
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={620}>
        A rejected request whose sender is known can be kept, encrypted, so that you can still admit it as a
        lead. The sender gets the same response either way.
      </Text>
      {summary?.is_off && (
        <Alert color="yellow" icon={<Icon name="alert" />} p="sm" mb="sm">
          The operator has turned keeping off, so this has no effect at the moment.
        </Alert>
      )}
      <Loaded query={query} rows={2}>
        {({ held_days }) => <DaysForm workspaceId={workspaceId} days={held_days} held={summary?.held ?? 0} />}
      </Loaded>
    </Box>
  );
}

interface DaysFormProps {
  readonly workspaceId: string;
  readonly days: number;
  /** How many are kept now. */
  readonly held: number;
}

function DaysForm({ workspaceId, days, held }: DaysFormProps) {
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const form = useApiForm({
    initialValues: { keeps: days > 0, held_days: days > 0 ? days : heldDaysDefault },
    inputs: ['held_days'],
    send: ({ keeps, held_days }) =>
      api('PATCH', '/workspaces/:workspace_id', {
        params: { workspace_id: workspaceId },
        body: { held_days: keeps ? held_days : 0 },
      }),
    async onSuccess(_, sent) {
      ask.close();
      form.resetDirty(sent);
      toastDone('Saved.');
      await queryClient.invalidateQueries({ queryKey: workspaceQuery(workspaceId).queryKey });
      await queryClient.invalidateQueries({ queryKey: ['held', workspaceId] });
    },
  });
  const { keeps, held_days } = form.values;
  const wanted = keeps ? held_days : 0;
  const isShorter = wanted < days;
  return (
    <>
      <SubmitForm
        form={{
          problem: isAsking ? undefined : form.problem,
          submit(event) {
            if (!isShorter || held === 0) return form.submit(event);
            event.preventDefault();
            ask.open();
          },
        }}
      >
        <Radio.Group
          aria-label="Keep rejected requests"
          value={keeps ? 'keep' : 'none'}
          onChange={(value) => form.setFieldValue('keeps', value === 'keep')}
        >
          <Stack gap="xs">
            <Group gap="xs" align="flex-start">
              <Radio value="keep" label="Keep rejected requests for" mt={7} />
              <NumberInput
                aria-label="Days"
                w={110}
                size="xs"
                min={1}
                max={heldDaysMax}
                clampBehavior="blur"
                allowDecimal={false}
                allowNegative={false}
                suffix={held_days === 1 ? ' day' : ' days'}
                disabled={!keeps}
                {...form.getInputProps('held_days')}
                onChange={(value) => form.setFieldValue('held_days', Number(value) || 1)}
              />
            </Group>
            <Radio value="none" label="Do not keep them" />
          </Stack>
        </Radio.Group>
        <Button
          type="submit"
          variant="default"
          w="fit-content"
          disabled={!form.isDirty()}
          loading={form.mutation.isPending}
        >
          Save
        </Button>
      </SubmitForm>
      {/* Outside of the form: what is submitted in a dialog would reach the form around it. */}
      <Confirm
        opened={isAsking}
        title={wanted === 0 ? 'Keep no rejected requests?' : 'Keep rejected requests for a shorter time?'}
        action={wanted === 0 ? 'Delete and keep none' : 'Shorten'}
        mutation={{ ...form.mutation, mutate: () => form.mutation.mutate() }}
        onClose={() => {
          ask.close();
          form.mutation.reset();
        }}
      >
        {wanted === 0
          ? `${countText(held, 'request')} that ${held === 1 ? 'is' : 'are'} kept now ${held === 1 ? 'is' : 'are'} deleted`
          : `Of ${countText(held, 'request')} that ${held === 1 ? 'is' : 'are'} kept now, those older than ${countText(wanted, 'day')} are deleted`}{' '}
        and cannot become leads. This cannot be undone.
      </Confirm>
    </>
  );
}
