import { ActionIcon, Box, Checkbox, Group, Select, Table, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Icon } from '../../parts/icons.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import type { FieldDraft } from './field-draft.ts';

interface FieldRowsProps {
  readonly form: UseFormReturnType<{ fields: FieldDraft[] }>;
  readonly isReadOnly: boolean;
}

const types = [
  { value: '', label: 'any' },
  ...['text', 'email', 'phone', 'url', 'number', 'boolean'].map((value) => ({ value, label: value })),
];

export function FieldRows({ form, isReadOnly }: FieldRowsProps) {
  const { fields } = form.values;
  if (fields.length === 0) {
    return (
      <Box className="panel" p="lg">
        <Text size="sm" c="dimmed">
          No fields declared. Leads are accepted anyway, with any keys.
        </Text>
      </Box>
    );
  }
  return (
    <Box className="panel">
      <StackedTable minWidth={600}>
        <Table verticalSpacing={6} horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Key</Table.Th>
              <Table.Th>Label</Table.Th>
              <Table.Th w={120}>Type</Table.Th>
              <Table.Th w={84}>Required</Table.Th>
              <Table.Th w={104} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; the key is being edited.
              <Table.Tr key={i} style={{ verticalAlign: 'top' }}>
                <Table.Td data-grows>
                  <TextInput
                    aria-label={`Key of field ${i + 1}`}
                    readOnly={isReadOnly}
                    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                    {...form.getInputProps(`fields.${i}.key`)}
                  />
                </Table.Td>
                <Table.Td data-grows>
                  <TextInput
                    aria-label={`Label of field ${i + 1}`}
                    placeholder={field.key}
                    readOnly={isReadOnly}
                    {...form.getInputProps(`fields.${i}.label`)}
                  />
                </Table.Td>
                <Table.Td data-grows>
                  <Select
                    aria-label={`Type of field ${i + 1}`}
                    data={types}
                    readOnly={isReadOnly}
                    allowDeselect={false}
                    {...form.getInputProps(`fields.${i}.type`)}
                  />
                </Table.Td>
                <Table.Td data-label="Required">
                  <Checkbox
                    mt={{ base: 0, sm: 8 }}
                    aria-label={`Field ${i + 1} is required`}
                    disabled={isReadOnly}
                    {...form.getInputProps(`fields.${i}.required`, { type: 'checkbox' })}
                  />
                </Table.Td>
                <Table.Td>
                  {!isReadOnly && (
                    <RowButtons
                      name={field.key || `field ${i + 1}`}
                      isFirst={i === 0}
                      isLast={i === fields.length - 1}
                      onMove={(by) => form.reorderListItem('fields', { from: i, to: i + by })}
                      onRemove={() => form.removeListItem('fields', i)}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </StackedTable>
    </Box>
  );
}

interface RowButtonsProps {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}

function RowButtons({ name, isFirst, isLast, onMove, onRemove }: RowButtonsProps) {
  const look = { variant: 'subtle', color: 'gray', size: 28 } as const;
  return (
    <Group gap={0} wrap="nowrap" mt={4}>
      <ActionIcon {...look} disabled={isFirst} onClick={() => onMove(-1)} aria-label={`Move ${name} up`}>
        <Icon name="up" size={15} />
      </ActionIcon>
      <ActionIcon {...look} disabled={isLast} onClick={() => onMove(1)} aria-label={`Move ${name} down`}>
        <Icon name="down" size={15} />
      </ActionIcon>
      <ActionIcon {...look} onClick={onRemove} aria-label={`Remove ${name}`}>
        <Icon name="trash" size={15} />
      </ActionIcon>
    </Group>
  );
}
