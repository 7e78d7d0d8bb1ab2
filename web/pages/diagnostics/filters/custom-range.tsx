import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { rangeDefault, ranges } from '../../../parts/charts/time-range.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { inputTime, timeOfInput } from '../zone.ts';

/** Two times, in the zone that the page shows. */
export function CustomRange({ isUtc }: { isUtc: boolean }) {
  const { search } = useDiagnosticsSearch();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          size="xs"
          variant={search.from === undefined ? 'default' : 'light'}
          onClick={() => setOpen(!isOpen)}
          aria-pressed={search.from !== undefined}
        >
          Custom
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={260}>
        {isOpen && <Fields isUtc={isUtc} onDone={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Fields({ isUtc, onDone }: { isUtc: boolean; onDone: () => void }) {
  const { search, change } = useDiagnosticsSearch();
  const [start] = useState(() => shownRange(search.range, search.from, search.to));
  const [from, setFrom] = useState(inputTime(start.from, isUtc));
  const [to, setTo] = useState(inputTime(start.to, isUtc));
  const [error, setError] = useState<string | null>(null);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const [first, last] = [timeOfInput(from, isUtc), timeOfInput(to, isUtc)];
    if (first === null || last === null) return setError('Enter both times.');
    if (first >= last) return setError('The end must be after the start.');
    change({ from: new Date(first).toISOString(), to: new Date(last).toISOString() });
    onDone();
  };
  const zone = isUtc ? ' (UTC)' : '';
  return (
    <form onSubmit={apply} noValidate>
      <Stack gap="xs">
        <TextInput
          size="xs"
          type="datetime-local"
          label={`From${zone}`}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          type="datetime-local"
          label={`To${zone}`}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Text size="xs" c="var(--rejected-text)" role="alert">
          {error}
        </Text>
        <Button size="xs" type="submit">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

/** Begins with what is shown. */
function shownRange(range: string | undefined, from: string | undefined, to: string | undefined) {
  const now = Date.now();
  const length = ranges.find(({ value }) => value === (range ?? rangeDefault))?.ms ?? 0;
  const first = Date.parse(from ?? '');
  const last = Date.parse(to ?? '');
  return {
    from: Number.isNaN(first) ? now - length : first,
    to: Number.isNaN(last) ? now : last,
  };
}
