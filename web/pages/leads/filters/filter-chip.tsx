import { Group, Popover, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { type FilterRow, unreadable } from './filter-row.ts';
import { type FieldChoice, filterText } from './filter-text.ts';

const FilterEditor = lazyDialog(() => import('./filter-editor.tsx'), 'FilterEditor');

interface FilterChipProps {
  readonly row: FilterRow;
  readonly forms: readonly Form[];
  readonly fields: readonly FieldChoice[];
  onChange(row: FilterRow): void;
  onRemove(): void;
}

/** A filter in a few words. A click or Enter edits it; Delete and Backspace remove it. */
export function FilterChip({ row, forms, fields, onChange, onRemove }: FilterChipProps) {
  const [isEditing, editing] = useDisclosure();
  const text = filterText(row, fields, forms);
  return (
    <Group
      gap={0}
      wrap="nowrap"
      className="filter-chip"
      onKeyDown={(event) => {
        if (isEditing || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
        event.preventDefault();
        onRemove();
      }}
    >
      <Popover
        opened={isEditing}
        onChange={(isOpen) => !isOpen && editing.close()}
        width={300}
        position="bottom-start"
        shadow="md"
        returnFocus
      >
        <Popover.Target>
          <UnstyledButton
            className="filter-chip-text cut"
            title={text}
            aria-label={`Edit filter: ${text}`}
            disabled={row.field === unreadable}
            onClick={editing.toggle}
          >
            {text}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label="Edit filter">
          <FilterEditor
            opened={isEditing}
            onClose={editing.close}
            row={row}
            fields={fields}
            forms={forms}
            onApply={onChange}
          />
        </Popover.Dropdown>
      </Popover>
      <UnstyledButton className="filter-chip-remove" aria-label={`Remove filter: ${text}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </UnstyledButton>
    </Group>
  );
}
