import { Button, Group, Pill } from '@mantine/core';
import { exactTime } from '../../../parts/time.tsx';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { useSetFilters } from './set-filters.ts';

/** The button of a pill is not reachable by keyboard otherwise. */
const reachable = { tabIndex: 0, 'aria-hidden': false } as const;

/** What is filtered, each with a button that removes it. */
export function FilterChips() {
  const { search, change, clear } = useDiagnosticsSearch();
  const set = useSetFilters();
  if (set.length === 0 && search.from === undefined) return null;
  return (
    <Group gap={6} mb="md" role="group" aria-label="Filters that are set">
      {search.from !== undefined && (
        <Chip
          text={`${timeText(search.from)} – ${search.to === undefined ? 'now' : timeText(search.to)}`}
          label="Remove time filter"
          onRemove={() => change({ from: undefined, to: undefined })}
        />
      )}
      {set.map(({ name, value, without }) => (
        <Chip
          key={`${name} ${value}`}
          text={`${name}: ${value}`}
          label={`Remove filter on ${name.toLowerCase()} ${value}`}
          onRemove={() => change(without)}
        />
      ))}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={clear}>
        Clear filters
      </Button>
    </Group>
  );
}

function Chip({ text, label, onRemove }: { text: string; label: string; onRemove: () => void }) {
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ ...reachable, 'aria-label': label }}
      maw="100%"
    >
      {text}
    </Pill>
  );
}

/** A URL can hold anything. */
const timeText = (time: string) => (Number.isNaN(Date.parse(time)) ? time : exactTime(time));
