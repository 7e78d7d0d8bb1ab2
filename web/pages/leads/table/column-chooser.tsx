import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { Icon } from '../../../parts/icons.tsx';
import { firstColumnId, type LeadColumn, type LeadColumns } from './use-columns.ts';

export function ColumnChooser({ columns }: { columns: LeadColumns }) {
  const arrangeable = columns.columns.filter(({ id }) => id !== firstColumnId);
  return (
    <Popover width={320} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={15} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Group justify="space-between" mb="xs">
          <Text size="sm" fw={580}>
            Columns
          </Text>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={columns.reset}>
            Reset
          </Button>
        </Group>
        <ScrollArea.Autosize mah={360} type="auto" offsetScrollbars>
          <Stack gap={6}>
            {arrangeable.map((column, i) => (
              <Choice
                key={column.id}
                column={column}
                onToggle={(isShown) => columns.toggle(column.id, isShown)}
                onUp={moverTo(columns, column, arrangeable[i - 1])}
                onDown={moverTo(columns, column, arrangeable[i + 1])}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Text size="xs" c="dimmed" mt="xs">
          In the table, drag a heading to move its column, or its edge to resize it. Your changes are saved
          for all your devices.
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}

function moverTo(columns: LeadColumns, { id }: LeadColumn, target: LeadColumn | undefined) {
  return target === undefined ? undefined : () => columns.moveTo(id, target.id);
}

interface ChoiceProps {
  readonly column: LeadColumn;
  onToggle(isShown: boolean): void;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
}

function Choice({ column: { label, isShown, isUndeclared }, onToggle, onUp, onDown }: ChoiceProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Checkbox
        size="xs"
        label={label}
        description={isUndeclared ? 'Not declared' : undefined}
        checked={isShown}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        styles={{ label: { overflowWrap: 'anywhere' } }}
      />
      <Group gap={0} wrap="nowrap">
        <Mover label={`Move ${label} left`} icon="up" onMove={onUp} />
        <Mover label={`Move ${label} right`} icon="down" onMove={onDown} />
      </Group>
    </Group>
  );
}

function Mover(props: { label: string; icon: 'up' | 'down'; onMove: (() => void) | undefined }) {
  const { label, icon, onMove } = props;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      // Only marked as disabled: a button that vanishes takes the focus with it.
      aria-disabled={onMove === undefined}
      {...(onMove === undefined ? { 'data-disabled': true } : {})}
      onClick={() => onMove?.()}
      aria-label={label}
    >
      <Icon name={icon} size={13} />
    </ActionIcon>
  );
}
