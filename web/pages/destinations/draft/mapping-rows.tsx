import {
  ActionIcon,
  Autocomplete,
  Box,
  Button,
  Checkbox,
  Group,
  Select,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { mappingRowsMax } from '../../../../src/contract/destinations/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { Icon } from '../../../parts/icons.tsx';
import { StackedTable } from '../../../parts/lists/stacked-table.tsx';
import type { DestinationDraft } from './draft.ts';
import { mappingSources } from './known-fields.ts';
import { conversions, emptyRow, type MappingDraftRow } from './mapping.ts';
import { hasError, RowError } from './row-error.tsx';

const conversionChoices = [
  { value: '', label: 'as it is' },
  ...Object.entries(conversions).map(([value, label]) => ({ value, label })),
];
const otherFields = '*';

interface MappingRowsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
}

export function MappingRows({ form, forms, errors }: MappingRowsProps) {
  const { mapping } = form.values;
  const set = (rows: MappingDraftRow[]) => {
    // A message belongs to the row as it was, and rows move.
    for (const path of Object.keys(form.errors)) if (path.startsWith('mapping')) form.clearFieldError(path);
    form.setFieldValue('mapping', rows);
  };
  return (
    <Box role="group" aria-labelledby="mapping-label">
      <Text size="sm" fw={500} id="mapping-label">
        Fields of the body
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        From the key of a field, or a path such as /enrichment/company/name. <code>*</code> sends every other
        field under its own key. What is not listed is not sent.
      </Text>
      {mapping.length > 0 && (
        <StackedTable minWidth={480}>
          <Table verticalSpacing={4} horizontalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>From</Table.Th>
                <Table.Th>To</Table.Th>
                <Table.Th w={112}>As</Table.Th>
                <Table.Th w={92}>Default</Table.Th>
                <Table.Th w={44}>Drop</Table.Th>
                <Table.Th w={62} aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {mapping.map((row, i) => (
                <Row
                  // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; everything in it is being edited.
                  key={i}
                  row={row}
                  number={i + 1}
                  forms={forms}
                  errors={errors}
                  onChange={(next) => set(mapping.with(i, next))}
                  onRemove={() => set(mapping.toSpliced(i, 1))}
                  {...(i === 0
                    ? {}
                    : { onMoveUp: () => set(mapping.toSpliced(i, 1).toSpliced(i - 1, 0, row)) })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </StackedTable>
      )}
      {errors.mapping !== undefined && (
        <Text size="xs" c="var(--rejected-text)" mt={4} role="alert">
          {errors.mapping}
        </Text>
      )}
      {mapping.length < mappingRowsMax && (
        <Button
          size="xs"
          variant="subtle"
          mt="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => set([...mapping, emptyRow])}
        >
          Add row
        </Button>
      )}
    </Box>
  );
}

interface RowProps {
  readonly row: MappingDraftRow;
  readonly number: number;
  readonly forms: readonly Form[];
  readonly errors: FormErrors;
  onChange(row: MappingDraftRow): void;
  onRemove(): void;
  onMoveUp?(): void;
}

function Row({ row, number, forms, errors, onChange, onRemove, onMoveUp }: RowProps) {
  const path = `mapping.${number - 1}`;
  const isWrong = hasError(errors, path);
  // Neither says under which key, so there is nothing to convert.
  const isPlain = row.drop || row.from === otherFields;
  const change = (values: Partial<MappingDraftRow>) => onChange({ ...row, ...values });
  const buttons = { variant: 'subtle', color: 'gray', size: 28 } as const;
  return (
    <>
      <Table.Tr style={{ verticalAlign: 'top' }}>
        <Table.Td data-grows data-label="From">
          <Autocomplete
            flex={1}
            aria-label={`From, row ${number}`}
            placeholder="email"
            data={mappingSources(forms)}
            limit={50}
            value={row.from}
            onChange={(from) => change({ from })}
            error={isWrong}
          />
        </Table.Td>
        <Table.Td data-grows data-label="To">
          <TextInput
            flex={1}
            aria-label={`To, row ${number}`}
            placeholder={row.from.startsWith('/') ? '' : row.from}
            disabled={isPlain}
            value={isPlain ? '' : row.to}
            onChange={(event) => change({ to: event.currentTarget.value })}
            error={isWrong}
          />
        </Table.Td>
        <Table.Td data-grows data-label="As">
          <Select
            flex={1}
            aria-label={`As, row ${number}`}
            data={conversionChoices}
            allowDeselect={false}
            disabled={isPlain}
            value={isPlain ? '' : row.as}
            onChange={(as) => change({ as: (as ?? '') as MappingDraftRow['as'] })}
          />
        </Table.Td>
        <Table.Td data-grows data-label="Default">
          <TextInput
            flex={1}
            aria-label={`Default, row ${number}`}
            disabled={isPlain}
            value={isPlain ? '' : row.default}
            onChange={(event) => change({ default: event.currentTarget.value, stored: undefined })}
          />
        </Table.Td>
        <Table.Td data-label="Drop">
          <Checkbox
            mt={{ base: 0, sm: 8 }}
            aria-label={`Drop, row ${number}`}
            checked={row.drop}
            onChange={(event) => change({ drop: event.currentTarget.checked })}
          />
        </Table.Td>
        <Table.Td>
          <Group gap={0} wrap="nowrap" mt={4}>
            <ActionIcon
              {...buttons}
              disabled={!onMoveUp}
              onClick={onMoveUp}
              aria-label={`Move row ${number} up`}
            >
              <Icon name="up" size={15} />
            </ActionIcon>
            <ActionIcon {...buttons} onClick={onRemove} aria-label={`Remove row ${number}`}>
              <Icon name="trash" size={15} />
            </ActionIcon>
          </Group>
        </Table.Td>
      </Table.Tr>
      {isWrong && (
        <Table.Tr>
          <Table.Td colSpan={6} pt={0}>
            <RowError errors={errors} path={path} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
