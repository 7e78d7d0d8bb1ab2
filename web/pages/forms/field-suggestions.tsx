import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { leadsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { percentText } from '../../parts/numbers.ts';
import { useIsOwner } from '../../shell/workspace.ts';
import { type FieldDraft, guessField } from './field-draft.ts';

const suggestionsMax = 12;

/** Undeclared keys of recent leads. */
export function FieldSuggestions(props: {
  form: Form;
  fields: readonly FieldDraft[];
  onAdd: (field: FieldDraft) => void;
}) {
  const { form, fields, onAdd } = props;
  const isOwner = useIsOwner();
  const { data } = useInfiniteQuery(leadsQuery(form.workspace_id, { form_id: form.id }));
  const leads = data?.pages[0]?.items ?? [];
  const declared = new Set(fields.map(({ key }) => key));
  const seen = new Map<string, { count: number; example: unknown }>();
  for (const lead of leads) {
    for (const [key, example] of Object.entries(lead.fields)) {
      if (declared.has(key) || key === '') continue;
      seen.set(key, { count: (seen.get(key)?.count ?? 0) + 1, example });
    }
  }
  const found = [...seen].toSorted(([, a], [, b]) => b.count - a.count).slice(0, suggestionsMax);
  if (found.length === 0 || !isOwner) return null;
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
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => onAdd(guessField(key, example))}
            aria-label={`Add ${key}`}
          >
            Add
          </Button>
        </Group>
      ))}
    </Box>
  );
}
