import { ActionIcon, Box, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { mappableFields } from '../../../src/contract/enrichment/terms.ts';
import type { EnrichmentProvider } from '../../../src/contract/enrichment.ts';
import { Icon } from '../../parts/icons.tsx';

/** A field of a lead's enrichment, and the path of its value in the response. */
interface MappingRow {
  readonly path: string;
  readonly place: string;
}

/** The provider while it is edited. */
export type ProviderDraft = {
  url: string;
  send: EnrichmentProvider['send'];
  header_name: string;
  header_value: string;
  daily_limit: number;
  mapping: MappingRow[];
};

/** Rows that are still empty are left out. */
export function mappingOf(rows: readonly MappingRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ place }) => place.trim() !== '').map(({ path, place }) => [path, place]),
  );
}

export function MappingRows({ form }: { form: UseFormReturnType<ProviderDraft> }) {
  const { mapping } = form.values;
  const used = new Set(mapping.map(({ path }) => path));
  const free = mappableFields.find(({ path }) => !used.has(path))?.path;
  return (
    <Box role="group" aria-label="Map response fields">
      <Text size="sm" fw={500}>
        Map response fields
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        Use dots for nested values: data.name is the name inside data, data.phones.0 is the first phone.
      </Text>
      <Stack gap="xs">
        {mapping.map(({ path }, i) => (
          <Group key={path} gap="xs" align="flex-start">
            <Select
              aria-label={`Field ${i + 1}`}
              data={mappableFields.map((field) => ({
                value: field.path,
                label: field.path,
                disabled: field.path !== path && used.has(field.path),
              }))}
              searchable
              allowDeselect={false}
              style={{ flex: '1 1 190px' }}
              {...form.getInputProps(`mapping.${i}.path`)}
            />
            <TextInput
              aria-label={`Response field for ${path}`}
              placeholder="data.name"
              style={{ flex: '1 1 160px' }}
              {...form.getInputProps(`mapping.${i}.place`)}
              // The API names a mapping by its field, not by its row.
              onInput={() => form.clearFieldError(`mapping.${path}`)}
              error={form.errors[`mapping.${path}`]}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              disabled={mapping.length === 1}
              onClick={() => form.removeListItem('mapping', i)}
              aria-label={`Remove ${path}`}
            >
              <Icon name="trash" size={15} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {form.errors.mapping && (
        <Text size="xs" c="var(--rejected-text)" mt={4}>
          {form.errors.mapping}
        </Text>
      )}
      {free !== undefined && (
        <Button
          size="xs"
          variant="subtle"
          mt="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => form.insertListItem('mapping', { path: free, place: '' })}
        >
          Add field
        </Button>
      )}
    </Box>
  );
}
