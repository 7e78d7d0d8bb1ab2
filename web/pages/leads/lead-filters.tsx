import { Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formsQuery } from '../../api/queries.ts';
import { ranges } from '../../parts/charts/time-range.ts';
import { Icon } from '../../parts/icons.tsx';
import { useKeys } from '../../parts/keys/use-keys.ts';
import { anySurface, surfaceChoices } from '../../parts/text/surface-name.ts';
import { exactTime } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useLeadSearch } from './lead-address.ts';

const verdicts = [
  { value: 'clean', label: 'Clean' },
  { value: 'suspect', label: 'Suspect' },
  { value: 'spam', label: 'Spam' },
];
const marks = [
  { value: 'spam', label: 'Marked as spam' },
  { value: 'not_spam', label: 'Marked as not spam' },
  { value: 'none', label: 'Not marked' },
];
const typingMs = 300;
/** Mantine hides the button of a pill from keyboards and screen readers. */
const reachable = { 'aria-hidden': false, tabIndex: 0 } as const;

export function LeadFilters() {
  const { search, change, clear, isFiltered, fieldFilters } = useLeadSearch();
  const forms = useQuery(formsQuery(useWorkspaceId()));
  const choices = [
    {
      name: 'form_id',
      label: 'Form',
      all: 'All forms',
      data: forms.data?.items.map((f) => ({ value: f.id, label: f.name })) ?? [],
    },
    { name: 'verdict', label: 'Verdict', all: 'Any verdict', data: verdicts },
    { name: 'mark', label: 'Mark', all: 'Any mark', data: marks },
    { name: 'surface', label: 'Surface', all: anySurface, data: surfaceChoices },
    {
      name: 'range',
      label: 'Received',
      all: 'Any time',
      data: ranges.map(({ value, label }) => ({ value, label: `Last ${label}` })),
    },
  ] as const;
  return (
    <Group gap="xs" mb="md">
      <SearchBox value={search.q ?? ''} onSearch={(q) => change({ q: q === '' ? undefined : q })} />
      {choices.map(({ name, label, all, data }) => (
        <Select
          key={name}
          size="xs"
          w={{ base: 'calc(50% - 5px)', xs: 152 }}
          aria-label={label}
          placeholder={all}
          clearable
          data={data}
          value={name === 'range' && search.from !== undefined ? null : (search[name] ?? null)}
          onChange={(value) =>
            change({
              [name]: value ?? undefined,
              ...(name === 'range' ? { from: undefined, to: undefined } : {}),
            })
          }
        />
      ))}
      {search.from !== undefined && (
        <Pill
          withRemoveButton
          onRemove={() => change({ from: undefined, to: undefined })}
          removeButtonProps={{ ...reachable, 'aria-label': 'Remove filter on the time' }}
        >
          {timeText(search.from)} – {search.to === undefined ? 'now' : timeText(search.to)}
        </Pill>
      )}
      {fieldFilters.map(({ name, value }) => (
        <Pill
          key={name}
          withRemoveButton
          onRemove={() => change({ [name]: undefined })}
          removeButtonProps={{ ...reachable, 'aria-label': `Remove filter on ${name.slice(6)}` }}
        >
          {name.slice(6)} = {value}
        </Pill>
      ))}
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

/** A URL can hold anything. */
const timeText = (time: string) => (Number.isNaN(Date.parse(time)) ? time : exactTime(time));

function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(onSearch, typingMs);
  // What is being typed is newer than the URL, unless the filters were cleared.
  useEffect(() => {
    if (value !== '') return;
    search.cancel();
    setText('');
  }, [value, search]);
  useKeys({ '/': { label: 'Search leads', press: () => box.current?.focus() } });
  return (
    <TextInput
      ref={box}
      size="xs"
      w={{ base: '100%', xs: 220 }}
      aria-label="Search leads"
      placeholder="Search all fields"
      leftSection={<Icon name="search" size={14} />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
