import {
  ActionIcon,
  Autocomplete,
  type AutocompleteProps,
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
import type { ReactNode } from 'react';
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

interface Target {
  readonly name: string;
  /** What people call it. */
  readonly label: string;
}

interface MappingRowsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
  readonly label: string;
  readonly hint: ReactNode;
  /** What the receiver knows; any other name can be typed. Null if that is unknown. */
  readonly targets: readonly Target[] | null;
  /** Whether all other fields can be sent, except some. */
  readonly hasOthers: boolean;
}

export function MappingRows(props: MappingRowsProps) {
  const { form, forms, errors, label, hint, targets } = props;
  const { mapping } = form.values;
  // A row that came by API must stay visible.
  const hasOthers = props.hasOthers || mapping.some(({ drop }) => drop);
  const set = (rows: MappingDraftRow[]) => {
    // A message belongs to the row as it was, and rows move.
    for (const path of Object.keys(form.errors)) if (path.startsWith('mapping')) form.clearFieldError(path);
    form.setFieldValue('mapping', rows);
  };
  return (
    <Box role="group" aria-labelledby="mapping-label">
      <Text size="sm" fw={600} id="mapping-label">
        {label}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {hint}
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
                {hasOthers && <Table.Th w={44}>Drop</Table.Th>}
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
                  {...{ forms, errors, targets, hasOthers }}
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

interface RowProps extends Pick<MappingRowsProps, 'forms' | 'errors' | 'targets' | 'hasOthers'> {
  readonly row: MappingDraftRow;
  readonly number: number;
  onChange(row: MappingDraftRow): void;
  onRemove(): void;
  onMoveUp?(): void;
}

function Row(props: RowProps) {
  const { row, number, forms, errors, targets, hasOthers, onChange, onRemove, onMoveUp } = props;
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
            data={mappingSources(forms, hasOthers)}
            limit={50}
            value={row.from}
            onChange={(from) => change({ from })}
            error={isWrong}
          />
        </Table.Td>
        <Table.Td data-grows data-label="To">
          <TargetInput
            label={`To, row ${number}`}
            row={row}
            targets={targets}
            isPlain={isPlain}
            isWrong={isWrong}
            onChange={(to) => change({ to })}
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
        {hasOthers && (
          <Table.Td data-label="Drop">
            <Checkbox
              mt={{ base: 0, sm: 8 }}
              aria-label={`Drop, row ${number}`}
              checked={row.drop}
              onChange={(event) => change({ drop: event.currentTarget.checked })}
            />
          </Table.Td>
        )}
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
          <Table.Td colSpan={hasOthers ? 6 : 5} pt={0}>
            <RowError errors={errors} path={path} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

interface TargetInputProps extends Pick<MappingRowsProps, 'targets'> {
  readonly label: string;
  readonly row: MappingDraftRow;
  readonly isPlain: boolean;
  readonly isWrong: boolean;
  onChange(to: string): void;
}

function TargetInput({ label, row, targets, isPlain, isWrong, onChange }: TargetInputProps) {
  const common = {
    flex: 1,
    'aria-label': label,
    placeholder: row.from.startsWith('/') ? '' : row.from,
    disabled: isPlain,
    value: isPlain ? '' : row.to,
    error: isWrong,
  };
  return targets === null ? (
    <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <KnownTargetInput {...common} targets={targets} onChange={onChange} />
  );
}

interface KnownTargetInputProps extends Omit<AutocompleteProps, 'data' | 'onChange'> {
  readonly targets: readonly Target[];
  onChange(to: string): void;
}

/** Finds what is known by its name or by what people call it. */
function KnownTargetInput({ targets, ...input }: KnownTargetInputProps) {
  const labels = new Map(targets.map(({ name, label }) => [name, label]));
  const labelOf = (option: object) => ('value' in option ? (labels.get(String(option.value)) ?? '') : '');
  return (
    <Autocomplete
      {...input}
      data={[...labels.keys()]}
      limit={50}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      filter={({ options, search, limit }) => {
        const wanted = search.trim().toLowerCase();
        const isWanted = (text: string) => text.toLowerCase().includes(wanted);
        return options
          .filter((option) => ('value' in option && isWanted(option.value)) || isWanted(labelOf(option)))
          .slice(0, limit);
      }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.value}</Text>
          <Text size="xs" c="dimmed">
            {labelOf(option)}
          </Text>
        </div>
      )}
    />
  );
}
