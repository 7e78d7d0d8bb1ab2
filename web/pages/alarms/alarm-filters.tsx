import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { alarmKinds, alarmKindTexts } from '../../../src/contract/alarms/terms.ts';
import { formsQuery } from '../../api/queries.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useAlarmSearch } from './alarm-address.ts';

const states = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
];
const kinds = alarmKinds.map((kind) => ({ value: kind, label: alarmKindTexts[kind].name }));

export function AlarmFilterBar() {
  const { search, state, change, clear, isFiltered } = useAlarmSearch();
  const forms = useQuery(formsQuery(useWorkspaceId())).data?.items ?? [];
  const select = { size: 'xs', clearable: true, searchable: true, w: { base: '100%', xs: 190 } } as const;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Filters of the alarms">
      <SegmentedControl
        size="xs"
        aria-label="State"
        data={states}
        value={state}
        onChange={(value) => change({ state: value === 'closed' || value === 'all' ? value : undefined })}
      />
      <Select
        {...select}
        aria-label="Kind"
        placeholder="Any kind"
        data={withChosen(kinds, search.kind)}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
      />
      <Select
        {...select}
        aria-label="Form"
        placeholder="All forms"
        data={withChosen(
          forms.map(({ id, name }) => ({ value: id, label: name })),
          search.form_id,
        )}
        value={search.form_id ?? null}
        onChange={(form_id) => change({ form_id: form_id ?? undefined })}
      />
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

/** What a link asks for is shown even if the list does not know it, such as a deleted form. */
function withChosen(choices: readonly { value: string; label: string }[], chosen: string | undefined) {
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isKnown ? [...choices] : [...choices, { value: chosen, label: chosen }];
}
