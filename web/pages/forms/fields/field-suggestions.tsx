import { Anchor, Box, Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { api } from '../../../api/client.ts';
import { formQuery, formsQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { percentText } from '../../../parts/numbers.ts';
import { toastProblem } from '../../../parts/toast.ts';
import { useIsOwner } from '../../../shell/workspace.ts';
import { useLeadList } from '../../leads/lead-list.tsx';
import { isNested } from '../../leads/table/key-order.ts';
import { type FieldDraft, guessField } from '../field-draft.ts';

const suggestionsMax = 12;
const leadsMax = 100;

/** Undeclared keys of recent leads that can be columns, without those that the owner ignores. */
export function FieldSuggestions(props: {
  form: Form;
  fields: readonly FieldDraft[];
  onAdd: (field: FieldDraft) => void;
}) {
  const { form, fields, onAdd } = props;
  const isOwner = useIsOwner();
  const ignoring = useIgnoring(form);
  // A first read that takes too long stops, and is continued.
  const list = useLeadList(form.workspace_id, { form_id: form.id }, true);
  const leads = list.leads.slice(0, leadsMax);
  const declared = new Set(fields.map(({ key }) => key));
  const ignored = form.ignored_keys.filter((key) => !declared.has(key));
  const passed = new Set([...declared, ...ignored, '']);
  const seen = new Map<string, { count: number; example: unknown }>();
  for (const lead of leads) {
    for (const [key, example] of Object.entries(lead.fields)) {
      if (passed.has(key) || isNested(example)) continue;
      seen.set(key, { count: (seen.get(key)?.count ?? 0) + 1, example });
    }
  }
  const found = [...seen].toSorted(([, a], [, b]) => b.count - a.count).slice(0, suggestionsMax);
  if (!isOwner || list.query.data === undefined || (found.length === 0 && ignored.length === 0)) return null;
  return (
    <Box className="panel" p="md">
      <Title order={3} size="h6" mb="xs">
        Undeclared keys in the newest {leads.length === 1 ? 'lead' : `${leads.length} leads`}
      </Title>
      {found.map(([key, { count, example }]) => (
        <Group key={key} justify="space-between" wrap="nowrap" py={4}>
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Text size="sm" ff="monospace" className="cut" maw={260}>
              {key}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              in {percentText(count / leads.length)}
            </Text>
          </Group>
          <Group gap={6} wrap="nowrap">
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => onAdd(guessField(key, example))}
              aria-label={`Add ${key}`}
            >
              Add
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              disabled={ignoring.isPending}
              onClick={() => ignoring.mutate([...form.ignored_keys, key])}
              aria-label={`Ignore ${key}`}
            >
              Ignore
            </Button>
          </Group>
        </Group>
      ))}
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          No others to suggest.
        </Text>
      )}
      {ignored.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs" className="wrap">
          Ignored:{' '}
          {ignored.map((key, place) => (
            <Fragment key={key}>
              {place > 0 && ', '}
              <Anchor
                component="button"
                type="button"
                size="xs"
                disabled={ignoring.isPending}
                onClick={() => ignoring.mutate(form.ignored_keys.filter((other) => other !== key))}
                aria-label={`Suggest ${key} again`}
              >
                {key}
              </Anchor>
            </Fragment>
          ))}
          . Select one to suggest it again.
        </Text>
      )}
    </Box>
  );
}

/** The ignored keys are replaced as a whole. The answer is shown immediately, so that the next click builds on it. */
function useIgnoring({ workspace_id, id }: Form) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ignored_keys: string[]) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id, form_id: id },
        body: { ignored_keys },
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(formQuery(workspace_id, id).queryKey, saved);
      return queryClient.invalidateQueries({ queryKey: formsQuery(workspace_id).queryKey });
    },
    onError: toastProblem,
  });
}
