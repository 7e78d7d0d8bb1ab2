import {
  ActionIcon,
  Autocomplete,
  Box,
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { conditionsMax } from '../../../../src/contract/destinations/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import {
  type ConditionRow,
  type Operator,
  operators,
  withOperator,
} from '../../../parts/conditions/condition.ts';
import { ConditionValue } from '../../../parts/conditions/condition-value.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { conditionsOf, type DestinationDraft, type FilterDraft } from './draft.ts';
import { conditionFields } from './known-fields.ts';
import { hasError, RowError } from './row-error.tsx';

const operatorChoices = Object.entries(operators).map(([value, label]) => ({ value, label }));

interface ConditionRowsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
}

export function ConditionRows({ form, forms, errors }: ConditionRowsProps) {
  const { match, rows } = conditionsOf(form.values.filter);
  const set = (next: FilterDraft) => {
    // A message belongs to the row as it was, and rows move.
    for (const path of Object.keys(form.errors)) if (path.startsWith('filter')) form.clearFieldError(path);
    form.setFieldValue('filter', next);
  };
  const setRows = (next: ConditionRow[]) => set(match === 'any' ? { any: next } : { all: next });
  return (
    <Box role="group" aria-labelledby="conditions-label">
      <Group justify="space-between" align="flex-end" mb="xs" gap="xs">
        <div>
          <Text size="sm" fw={600} id="conditions-label">
            Conditions
          </Text>
          <Text size="xs" c="dimmed">
            {rows.length === 0
              ? 'Every lead is sent, spam too.'
              : 'Checked again just before a lead is sent.'}
          </Text>
        </div>
        {rows.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="How conditions are combined"
            data={[
              { value: 'all', label: 'All must match' },
              { value: 'any', label: 'Any may match' },
            ]}
            value={match}
            onChange={(value) => set(value === 'any' ? { any: rows } : { all: rows })}
          />
        )}
      </Group>
      <Stack gap="xs">
        {rows.map((row, i) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; everything in it is being edited.
            key={i}
            row={row}
            number={i + 1}
            forms={forms}
            errors={errors}
            path={`filter.${match}.${i}`}
            onChange={(next) => setRows(rows.with(i, next))}
            onRemove={() => setRows(rows.toSpliced(i, 1))}
          />
        ))}
      </Stack>
      {errors[`filter.${match}`] !== undefined || errors.filter !== undefined ? (
        <Text size="xs" c="var(--rejected-text)" mt={4} role="alert">
          {errors[`filter.${match}`] ?? errors.filter}
        </Text>
      ) : null}
      {rows.length < conditionsMax && (
        <Button
          size="xs"
          variant="subtle"
          mt="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setRows([...rows, { field: '', op: 'eq', value: '' }])}
        >
          Add condition
        </Button>
      )}
    </Box>
  );
}

interface RowProps {
  readonly row: ConditionRow;
  readonly number: number;
  readonly forms: readonly Form[];
  readonly errors: FormErrors;
  readonly path: string;
  onChange(row: ConditionRow): void;
  onRemove(): void;
}

function Row({ row, number, forms, errors, path, onChange, onRemove }: RowProps) {
  const isWrong = hasError(errors, path);
  return (
    <Box>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Group gap="xs" flex={1} align="flex-start">
          <Autocomplete
            aria-label={`Field of condition ${number}`}
            placeholder="field.country"
            data={conditionFields(forms)}
            limit={50}
            style={{ flex: '2 1 150px' }}
            value={row.field}
            onChange={(field) => onChange({ ...row, field })}
            error={isWrong}
          />
          <Select
            aria-label={`Operator of condition ${number}`}
            data={operatorChoices}
            allowDeselect={false}
            style={{ flex: '1 1 120px' }}
            value={row.op}
            onChange={(op) => onChange(withOperator(row, op as Operator))}
            error={isWrong}
          />
          <ConditionValue
            row={row}
            label={`Value of condition ${number}`}
            forms={forms}
            isWrong={isWrong}
            onChange={(value) => onChange({ ...row, value })}
          />
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          onClick={onRemove}
          aria-label={`Remove condition ${number}`}
        >
          <Icon name="trash" size={15} />
        </ActionIcon>
      </Group>
      <RowError errors={errors} path={path} />
    </Box>
  );
}
