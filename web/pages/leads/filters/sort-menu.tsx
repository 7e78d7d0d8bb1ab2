import { Button, Menu } from '@mantine/core';
import { Icon } from '../../../parts/icons.tsx';
import type { LeadSearch } from '../../../search.ts';
import { type FieldChoice, fieldLabel } from './filter-text.ts';
import { sortAfterClick, sortedBy, sortOf } from './sorting.ts';

interface SortMenuProps {
  readonly search: LeadSearch;
  readonly fields: readonly FieldChoice[];
  onSort(search: LeadSearch): void;
}

const unsortable = new Set(['mark', 'surface']);

/** The order of the list, also where there are no headings to click. */
export function SortMenu({ search, fields, onSort }: SortMenuProps) {
  const { by, order } = sortedBy(search);
  const word = order === 'asc' ? 'ascending' : 'descending';
  const label = fieldLabel(by, fields);
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name={order === 'asc' ? 'up' : 'down'} size={14} />}
          aria-label={`Sort: ${label}, ${word}`}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>Sort by</Menu.Label>
        {fields
          .filter(({ value }) => !unsortable.has(value))
          .map((field) => (
            <Menu.Item
              key={field.value}
              rightSection={field.value === by && <Icon name="check" size={14} />}
              aria-current={field.value === by || undefined}
              onClick={() => field.value !== by && onSort(sortAfterClick(search, field.value))}
            >
              {field.label}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name={order === 'asc' ? 'down' : 'up'} size={14} />}
          onClick={() => onSort(sortOf({ by, order: order === 'asc' ? 'desc' : 'asc' }))}
        >
          {order === 'asc' ? 'Sort descending' : 'Sort ascending'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
