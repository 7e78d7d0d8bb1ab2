import { Button, Group, Pill, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { DayInput } from '../../parts/lists/day-input.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDeliverySearch } from './delivery-address.ts';
import { stateNames } from './delivery-state.tsx';

const states = Object.entries(stateNames).map(([value, label]) => ({ value, label }));
/** Mantine hides the button of a pill from keyboards and screen readers. */
const reachable = { 'aria-hidden': false, tabIndex: 0 } as const;

export function DeliveryFilterBar() {
  const { search, change, clear, isFiltered } = useDeliverySearch();
  const destinations = useQuery(destinationsQuery(useWorkspaceId())).data?.items ?? [];
  const chosen = search.destination_id;
  const isUnknown = chosen !== undefined && !destinations.some(({ id }) => id === chosen);
  const choices = [
    ...destinations.map(({ id, name }) => ({ value: id, label: name })),
    ...(isUnknown ? [{ value: chosen, label: `Destination ${chosen.slice(-8)}` }] : []),
  ];
  const select = { size: 'xs', clearable: true, w: { base: '100%', xs: 190 } } as const;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Filters of the deliveries">
      <Select
        {...select}
        aria-label="Destination"
        placeholder="All destinations"
        searchable
        data={choices}
        value={chosen ?? null}
        onChange={(destination_id) => change({ destination_id: destination_id ?? undefined })}
      />
      <Select
        {...select}
        aria-label="State"
        placeholder="Any state"
        data={states}
        value={search.state ?? null}
        onChange={(state) => change({ state: state ?? undefined })}
      />
      <DayInput label="From" day={search.from} onChange={(from) => change({ from })} />
      <DayInput label="To" day={search.to} onChange={(to) => change({ to })} />
      {search.submission_id !== undefined && (
        <Pill
          withRemoveButton
          onRemove={() => change({ submission_id: undefined })}
          removeButtonProps={{ ...reachable, 'aria-label': 'Remove filter on the lead' }}
        >
          Lead …{search.submission_id.slice(-8)}
        </Pill>
      )}
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
