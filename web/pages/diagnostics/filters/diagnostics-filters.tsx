import { Group, SegmentedControl, Switch } from '@mantine/core';
import { useState } from 'react';
import { rangeDefault, ranges } from '../../../parts/charts/time-range.ts';
import { useKeys } from '../../../parts/keys/use-keys.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { CustomRange } from './custom-range.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { RequestSearch } from './request-search.tsx';

interface DiagnosticsFiltersProps {
  readonly isUtc: boolean;
  setUtc(isUtc: boolean): void;
  readonly isLive: boolean;
  setLive(isLive: boolean): void;
}

export function DiagnosticsFilters({ isUtc, setUtc, isLive, setLive }: DiagnosticsFiltersProps) {
  const { search, isRequestSearch, change } = useDiagnosticsSearch();
  // A request is searched for at any time, unless one was chosen.
  const unset = isRequestSearch ? '' : rangeDefault;
  const [isMenuOpen, setMenuOpen] = useState(false);
  useKeys({
    l: { label: 'Live on or off', press: () => setLive(!isLive) },
    f: { label: 'Filter', press: () => setMenuOpen(true) },
  });
  return (
    <>
      <Group gap="xs" mb="xs">
        <SegmentedControl
          aria-label="Time range"
          size="xs"
          data={ranges.map(({ value, label }) => ({ value, label }))}
          value={search.from === undefined ? (search.range ?? unset) : ''}
          onChange={(range) => {
            change({
              range: range === unset || range === '' ? undefined : range,
              from: undefined,
              to: undefined,
            });
          }}
        />
        <CustomRange isUtc={isUtc} />
        <SegmentedControl
          aria-label="Time zone"
          size="xs"
          data={['Local', 'UTC']}
          value={isUtc ? 'UTC' : 'Local'}
          onChange={(zone) => setUtc(zone === 'UTC')}
        />
      </Group>
      <Group gap="xs" mb="md">
        <FilterMenu isOpen={isMenuOpen} onChange={setMenuOpen} />
        <RequestSearch
          key={search.request_id ?? ''}
          value={search.request_id ?? ''}
          onSearch={(request_id) => change({ request_id: request_id === '' ? undefined : request_id })}
        />
        <Switch
          size="xs"
          label="Live"
          checked={isLive}
          onChange={(event) => setLive(event.currentTarget.checked)}
          aria-keyshortcuts="l"
        />
      </Group>
      <FilterChips />
    </>
  );
}
