import { Badge, Button, Group, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { useKeys } from '../../../parts/keys/use-keys.ts';
import { useLeadSearch } from '../lead-address.ts';
import { FilterChip } from './filter-chip.tsx';
import type { FilterRow } from './filter-row.ts';
import type { FieldChoice } from './filter-text.ts';
import { SearchBox } from './search-box.tsx';
import { SortMenu } from './sort-menu.tsx';

const FilterEditor = lazyDialog(() => import('./filter-editor.tsx'), 'FilterEditor');

interface FilterBarProps {
  readonly forms: readonly Form[];
  /** What can be filtered and sorted by. */
  readonly fields: readonly FieldChoice[];
}

/** Search, filters as chips, and the order. All of it is in the URL. */
export function FilterBar({ forms, fields }: FilterBarProps) {
  const { search, rows, change, setRows, clear, isFiltered } = useLeadSearch();
  const add = useRef<HTMLButtonElement>(null);
  const [isAdding, adding] = useDisclosure();
  useKeys({ f: { label: 'Add filter', press: adding.open } });
  const remove = (place: number) => {
    setRows(rows.toSpliced(place, 1));
    // The chip takes the focus with it.
    add.current?.focus();
  };
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Filters">
      <SearchBox value={search.q ?? ''} onSearch={(q) => change({ q: q === '' ? undefined : q })} />
      <Popover
        opened={isAdding}
        onChange={(isOpen) => !isOpen && adding.close()}
        width={300}
        position="bottom-start"
        shadow="md"
        returnFocus
      >
        <Popover.Target>
          <Button
            ref={add}
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            rightSection={
              rows.length > 0 && (
                <Badge size="sm" circle aria-label={`${rows.length} active`}>
                  {rows.length}
                </Badge>
              )
            }
            aria-keyshortcuts="f"
            onClick={adding.toggle}
          >
            Add filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Add filter">
          <FilterEditor
            opened={isAdding}
            onClose={adding.close}
            fields={fields}
            forms={forms}
            onApply={(row: FilterRow) => setRows([...rows, row])}
          />
        </Popover.Dropdown>
      </Popover>
      <SortMenu search={search} fields={fields} onSort={change} />
      {rows.map((row, place) => (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: a chip is its position; everything in it can be edited.
          key={place}
          row={row}
          forms={forms}
          fields={fields}
          onChange={(next) => setRows(rows.with(place, next))}
          onRemove={() => remove(place)}
        />
      ))}
      {isFiltered && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => {
            clear();
            add.current?.focus();
          }}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}
