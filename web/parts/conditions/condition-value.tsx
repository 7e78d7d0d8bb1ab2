import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import type { Form } from '../../../src/contract/forms/form.ts';
import { type ConditionRow, takesList } from './condition.ts';
import { knownValues } from './known-values.ts';

interface ConditionValueProps {
  readonly row: ConditionRow;
  readonly label: string;
  readonly forms: readonly Form[];
  readonly isWrong: boolean;
  /** In a popover, which a click outside closes. */
  readonly isInPopover?: boolean;
  onChange(value: ConditionRow['value']): void;
}

const presence = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];
const sameOperators = new Set(['eq', 'ne']);

/** A choice where the values are known, a list where the operator takes several, and text otherwise. */
export function ConditionValue({ row, label, forms, isWrong, isInPopover, onChange }: ConditionValueProps) {
  const known = knownValues(row.field, forms);
  const texts = [row.value].flat();
  const [text = ''] = texts;
  const look = { 'aria-label': label, error: isWrong, style: { flex: '2 1 150px' } };
  const list = { ...look, comboboxProps: { withinPortal: isInPopover !== true } };
  if (row.op === 'exists')
    return (
      <Select
        {...list}
        data={presence}
        allowDeselect={false}
        value={text === 'false' ? 'false' : 'true'}
        onChange={(value) => onChange(value ?? 'true')}
      />
    );
  // A value that is not known, for example a form that was deleted, must stay visible.
  const isChoice =
    known !== null && texts.every((one) => one === '' || known.some(({ value }) => value === one));
  if (takesList(row.op))
    return isChoice ? (
      <MultiSelect {...list} data={known} value={texts} onChange={onChange} searchable />
    ) : (
      <TagsInput
        {...list}
        value={texts}
        onChange={onChange}
        splitChars={[',']}
        placeholder={texts.length === 0 ? 'Type and press Enter' : ''}
      />
    );
  if (isChoice && sameOperators.has(row.op))
    return (
      <Select
        {...list}
        data={known}
        placeholder="Choose"
        searchable={known.length > 8}
        value={text === '' ? null : text}
        onChange={(value) => onChange(value ?? '')}
      />
    );
  return <TextInput {...look} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
}
