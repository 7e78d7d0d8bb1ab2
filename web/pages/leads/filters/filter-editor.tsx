import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { ranges } from '../../../parts/charts/time-range.ts';
import type { Operator } from '../../../parts/conditions/condition.ts';
import { ConditionValue } from '../../../parts/conditions/condition-value.tsx';
import { knownValues } from '../../../parts/conditions/known-values.ts';
import { DayInput, dayStart, localDay } from '../../../parts/lists/day-input.tsx';
import type { FilterOperator, FilterRow } from './filter-row.ts';
import {
  type FieldChoice,
  fieldLabel,
  filterError,
  markChoices,
  operatorsOf,
  operatorTexts,
} from './filter-text.ts';

interface FilterEditorProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Without it, a filter is added. */
  readonly row?: FilterRow;
  readonly fields: readonly FieldChoice[];
  readonly forms: readonly Form[];
  readonly onApply: (row: FilterRow) => void;
}

/** A click outside the popover closes it, so its lists open inside. */
const inside = { comboboxProps: { withinPortal: false } };

/** Field, operator and value of one filter. It is applied as a whole, by Enter or the button. */
export function FilterEditor({ opened, ...props }: FilterEditorProps) {
  return opened ? <Editor {...props} /> : null;
}

function Editor({ row, fields, forms, onApply, onClose }: Omit<FilterEditorProps, 'opened'>) {
  const [draft, setDraft] = useState<FilterRow>(row ?? { field: '', op: 'eq', value: '' });
  const [error, setError] = useState<string | null>(null);
  const box = useRef<HTMLFormElement>(null);
  const change = (next: FilterRow) => {
    setError(null);
    setDraft(next);
  };
  // Its code may be loaded after the popover has opened. A filter that is edited begins with its value.
  useEffect(() => {
    const inputs = box.current?.querySelectorAll<HTMLElement>('input:not([type=hidden])');
    (row === undefined ? inputs?.[0] : inputs?.[inputs.length - 1])?.focus();
  }, [row]);
  const apply = () => {
    const wrong = draft.field === '' ? 'Choose a field.' : filterError(draft);
    setError(wrong);
    if (wrong !== null) return;
    onApply(draft);
    onClose();
  };
  const known = fields.some(({ value }) => value === draft.field) || draft.field === '';
  const choices = known
    ? fields
    : [...fields, { value: draft.field, label: fieldLabel(draft.field, fields) }];
  const operators = operatorsOf(draft.field);
  return (
    <form
      ref={box}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Stack gap="xs">
        <Select
          {...inside}
          size="xs"
          label="Field"
          placeholder="Choose"
          searchable
          allowDeselect={false}
          data={choices}
          value={draft.field === '' ? null : draft.field}
          onChange={(field) => field !== null && change(emptyRow(field))}
        />
        {draft.field !== '' && (
          <>
            {operators.length > 1 && (
              <Select
                {...inside}
                size="xs"
                label="Operator"
                allowDeselect={false}
                data={operators.map((value) => ({ value, label: operatorTexts[value] }))}
                value={draft.op}
                onChange={(op) => change(withOperator(draft, op as FilterOperator))}
              />
            )}
            <FilterValue row={draft} forms={forms} isWrong={error !== null} onChange={change} />
          </>
        )}
        {error !== null && (
          <Text size="xs" c="var(--rejected-text)" role="alert">
            {error}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const lists = new Set<FilterOperator>(['in', 'not_in']);
const pairs = new Set<FilterOperator>(['between', 'dates']);

function emptyRow(field: string): FilterRow {
  const [op = 'eq'] = operatorsOf(field);
  return { field, op, value: emptyValue(op) };
}

function emptyValue(op: FilterOperator): FilterRow['value'] {
  if (pairs.has(op)) return ['', ''];
  return lists.has(op) ? [] : op === 'within' ? '7d' : '';
}

/** Keeps what was entered, where it fits. */
function withOperator(row: FilterRow, op: FilterOperator): FilterRow {
  const texts = [row.value].flat().filter((text) => text !== '');
  const [first = ''] = texts;
  if (row.field === 'received') return { ...row, op, value: emptyValue(op) };
  if (op === 'between') return { ...row, op, value: [first, texts[1] ?? ''] };
  return { ...row, op, value: lists.has(op) ? texts : first };
}

interface FilterValueProps {
  readonly row: FilterRow;
  readonly forms: readonly Form[];
  readonly isWrong: boolean;
  onChange(row: FilterRow): void;
}

function FilterValue({ row, forms, isWrong, onChange }: FilterValueProps): ReactNode {
  const { field, op } = row;
  const values = [row.value].flat();
  const [first = '', second = ''] = values;
  const set = (value: FilterRow['value']) => onChange({ ...row, value });
  if (op === 'present' || op === 'empty') return null;
  if (op === 'within' || field === 'mark')
    return (
      <Select
        {...inside}
        size="xs"
        label="Value"
        allowDeselect={false}
        data={op === 'within' ? ranges.map(({ value, label }) => ({ value, label })) : [...markChoices]}
        value={first === '' ? null : first}
        onChange={(value) => set(value ?? '')}
        error={isWrong}
      />
    );
  if (op === 'dates')
    return (
      <Stack gap={6}>
        <DayInput
          label="From"
          day={dayOf(first, 0)}
          onChange={(day) => set([dayStart(day, 0) ?? '', second])}
        />
        <DayInput
          label="To"
          day={dayOf(second, 1)}
          onChange={(day) => set([first, dayStart(day, 1) ?? ''])}
        />
      </Stack>
    );
  const known = lists.has(op) ? knownValues(field, forms) : null;
  if (known !== null)
    return (
      <Checkbox.Group label="Value" size="xs" value={values} onChange={set} error={isWrong}>
        <Stack gap={6} mah={200} mt={4} style={{ overflowY: 'auto' }}>
          {[...known, ...unknownValues(values, known)].map(({ value, label }) => (
            <Checkbox key={value} size="xs" value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  const numeric = { size: 'xs', inputMode: 'decimal', autoComplete: 'off', error: isWrong } as const;
  if (op === 'between')
    return (
      <Group gap="xs" wrap="nowrap">
        <TextInput
          {...numeric}
          label="At least"
          value={first}
          onChange={(event) => set([event.currentTarget.value, second])}
        />
        <TextInput
          {...numeric}
          label="At most"
          value={second}
          onChange={(event) => set([first, event.currentTarget.value])}
        />
      </Group>
    );
  if (op === 'gte' || op === 'lte')
    return (
      <TextInput
        {...numeric}
        label="Value"
        value={first}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  return (
    <ConditionValue
      row={{ field, op: op as Operator, value: lists.has(op) ? values : first }}
      label="Value"
      forms={forms}
      isWrong={isWrong}
      isInPopover
      onChange={set}
    />
  );
}

/** Chosen earlier, for example a form that was deleted since. */
function unknownValues(chosen: readonly string[], known: readonly FieldChoice[]): readonly FieldChoice[] {
  const others = chosen.filter((one) => known.every(({ value }) => value !== one));
  return others.map((value) => ({ value, label: `${value} (deleted)` }));
}

/** The day of a time on this clock; the end of a day is the start of the next. */
function dayOf(time: string, daysEarlier: number): string | undefined {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() - daysEarlier);
  return localDay(at);
}
