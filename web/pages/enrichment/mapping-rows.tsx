import { ActionIcon, Box, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { mappableFields } from '../../../src/contract/enrichment/terms.ts';
import { Icon } from '../../parts/icons.tsx';
import { faultOf } from '../../parts/problem.ts';

/** Pairs of a field of ours and the place of its value in the answer. */
export type MappingDraft = readonly (readonly [path: string, place: string])[];

interface MappingRowsProps {
  readonly mapping: MappingDraft;
  readonly error: Error | null;
  onChange(mapping: MappingDraft): void;
}

/** A row without a place says nothing yet. */
export function mappingOf(draft: MappingDraft): Record<string, string> {
  return Object.fromEntries(draft.filter(([, place]) => place.trim() !== ''));
}

export function MappingRows({ mapping, error, onChange }: MappingRowsProps) {
  const used = new Set(mapping.map(([path]) => path));
  const free = mappableFields.find(({ path }) => !used.has(path))?.path;
  const change = (place: number, row: MappingDraft[number]) =>
    onChange(mapping.map((other, i) => (i === place ? row : other)));
  const fault = faultOf(error, 'mapping');
  return (
    <Box role="group" aria-label="Where its answer has what">
      <Text size="sm" fw={500}>
        Where its answer has what
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        Names joined by dots: data.name is the name inside data, data.phones.0 the first phone.
      </Text>
      <Stack gap="xs">
        {mapping.map(([path, place], i) => (
          <Group key={path} gap="xs" wrap="nowrap" align="flex-start">
            <Select
              aria-label={`Field ${i + 1}`}
              data={mappableFields.map((field) => ({
                value: field.path,
                label: field.path,
                disabled: field.path !== path && used.has(field.path),
              }))}
              value={path}
              searchable
              allowDeselect={false}
              style={{ flex: 1 }}
              onChange={(next) => next !== null && change(i, [next, place])}
            />
            <TextInput
              aria-label={`Place of ${path}`}
              placeholder="data.name"
              value={place}
              style={{ flex: 1 }}
              onChange={(event) => change(i, [path, event.currentTarget.value])}
              error={faultOf(error, `mapping.${path}`)}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              disabled={mapping.length === 1}
              onClick={() => onChange(mapping.filter((_, other) => other !== i))}
              aria-label={`Remove ${path}`}
            >
              <Icon name="trash" size={15} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {fault !== undefined && (
        <Text size="xs" c="var(--rejected-text)" mt={4}>
          {fault}
        </Text>
      )}
      {free !== undefined && (
        <Button
          size="xs"
          variant="subtle"
          mt="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...mapping, [free, '']])}
        >
          Add a field
        </Button>
      )}
    </Box>
  );
}
