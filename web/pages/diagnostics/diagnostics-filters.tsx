import { Box, Button, CloseButton, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formsQuery, tokensQuery } from '../../api/queries.ts';
import { rangeDefault, ranges } from '../../parts/charts/time-range.ts';
import { Icon } from '../../parts/icons.tsx';
import { anySurface, surfaceChoices } from '../../parts/text/surface-name.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDiagnosticsSearch } from './diagnostics-address.ts';

export function DiagnosticsFilters() {
  const workspaceId = useWorkspaceId();
  const { search, change, clear, isFiltered } = useDiagnosticsSearch();
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  const select = { size: 'xs', clearable: true, searchable: true, w: { base: '100%', xs: 150 } } as const;
  return (
    <Group gap="xs" mb="md">
      <SegmentedControl
        aria-label="Time range"
        size="xs"
        data={ranges.map(({ value, label }) => ({ value, label }))}
        value={search.from === undefined ? (search.range ?? rangeDefault) : ''}
        onChange={(range) => {
          const isDefault = range === rangeDefault || range === '';
          change({ range: isDefault ? undefined : range, from: undefined, to: undefined });
        }}
      />
      <Select
        {...select}
        aria-label="Form"
        placeholder="All forms"
        data={forms.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={search.form_id ?? null}
        onChange={(value) => change({ form_id: value ?? undefined })}
      />
      <Select
        {...select}
        aria-label="Token"
        placeholder="All tokens"
        data={tokens.data?.items.map(({ id, name, hint }) => ({ value: id, label: `${name} ${hint}` })) ?? []}
        value={search.token_id ?? null}
        onChange={(value) => change({ token_id: value ?? undefined })}
      />
      <Select
        {...select}
        searchable={false}
        aria-label="Surface"
        placeholder={anySurface}
        data={surfaceChoices}
        value={search.surface ?? null}
        onChange={(value) => change({ surface: value ?? undefined })}
      />
      <RequestSearch
        key={search.request_id ?? ''}
        value={search.request_id ?? ''}
        onSearch={(request_id) => change({ request_id: request_id === '' ? undefined : request_id })}
      />
      {(isFiltered || search.from !== undefined) && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

/** Finds one request by the ID in its response. */
function RequestSearch({ value, onSearch }: { value: string; onSearch: (id: string) => void }) {
  const [text, setText] = useState(value);
  const isWrong = text.trim() !== '' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim());
  return (
    <Box
      component="form"
      w={{ base: '100%', xs: 240 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onSearch(text.trim());
      }}
    >
      <TextInput
        size="xs"
        aria-label="Request ID"
        placeholder="X-Request-Id of a response"
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isWrong && text.length > 35 ? 'This is not a request ID.' : undefined}
        rightSection={
          value !== '' && <CloseButton size="xs" aria-label="Clear search" onClick={() => onSearch('')} />
        }
      />
    </Box>
  );
}
