import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formsQuery } from '../../api/queries.ts';
import { keptReasonChoices, rejectionName } from '../../parts/text/rejection-name.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useHeldSearch } from './held-address.ts';
import { classNames, stateNames } from './held-words.ts';

const choicesOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** What a link asks for is shown even if the list does not know it. */
function withChosen(
  choices: readonly { value: string; label: string }[],
  chosen: string | undefined,
  labelOf: (value: string) => string,
) {
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isKnown ? [...choices] : [...choices, { value: chosen, label: labelOf(chosen) }];
}

export function HeldFilterBar() {
  const { search, change, clear, isFiltered } = useHeldSearch();
  const forms = useQuery(formsQuery(useWorkspaceId())).data?.items ?? [];
  const select = { size: 'xs', clearable: true, w: { base: '100%', xs: 190 } } as const;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Filters of the held requests">
      <Select
        {...select}
        aria-label="Reason"
        placeholder="Any reason"
        searchable
        data={withChosen(keptReasonChoices, search.reason, rejectionName)}
        value={search.reason ?? null}
        onChange={(reason) => change({ reason: reason ?? undefined })}
      />
      <Select
        {...select}
        aria-label="Form"
        placeholder="All forms"
        searchable
        data={withChosen(
          forms.map(({ id, name }) => ({ value: id, label: name })),
          search.form_id,
          (id) => `Form ${id.slice(-8)}`,
        )}
        value={search.form_id ?? null}
        onChange={(form_id) => change({ form_id: form_id ?? undefined })}
      />
      <Select
        {...select}
        aria-label="Kind"
        placeholder="Proven or not"
        data={choicesOf(classNames)}
        value={search.class ?? null}
        onChange={(heldClass) => change({ class: heldClass ?? undefined })}
      />
      <Select
        {...select}
        clearable={false}
        allowDeselect={false}
        aria-label="State"
        data={choicesOf(stateNames)}
        value={search.state ?? 'held'}
        onChange={(state) => change({ state: state === 'held' ? undefined : (state ?? undefined) })}
      />
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
