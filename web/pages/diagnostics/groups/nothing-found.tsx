import { Button, Group } from '@mantine/core';
import { rangeLabel, ranges } from '../../../parts/charts/time-range.ts';
import { Empty } from '../../../parts/states.tsx';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { useSetFilters } from '../filters/set-filters.ts';

/** Says what is filtered, and how to see more. */
export function NothingFound() {
  const { tab, filters, search, change, clear } = useDiagnosticsSearch();
  const set = useSetFilters();
  const what = tab === 'limited' ? 'No rate limit was reached' : 'Nothing was rejected';
  const title = `${what} in ${rangeLabel(filters)}`;
  if (set.length === 0 && search.from === undefined) {
    return (
      <Empty
        icon="check"
        title={title}
        text="Rejections appear here within five seconds, with their reasons and how to fix them."
      />
    );
  }
  const wider = ranges.find(({ value }) => value === (isShort(search.range, search.from) ? '24h' : '30d'));
  return (
    <Empty icon="search" title={title} text={set.length === 0 ? null : `with ${filterText(set)}.`}>
      <Group gap="xs" justify="center">
        {set.length > 0 && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear filters
          </Button>
        )}
        {wider !== undefined && (search.range !== wider.value || search.from !== undefined) && (
          <Button
            size="xs"
            variant="default"
            onClick={() => change({ range: wider.value, from: undefined, to: undefined })}
          >
            Widen to {wider.value === '24h' ? '24 h' : '30 days'}
          </Button>
        )}
      </Group>
    </Empty>
  );
}

const isShort = (range: string | undefined, from: string | undefined) =>
  from === undefined && (range === '15m' || range === '1h');

function filterText(set: readonly { readonly name: string; readonly value: string }[]): string {
  return set.map(({ name, value }) => `${name.toLowerCase()} ${value}`).join(', ');
}
