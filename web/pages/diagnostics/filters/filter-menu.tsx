import { Badge, Button, MultiSelect, Popover, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { diagnosticsQuery, formsQuery, tokensQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { anySurface, surfaceChoices } from '../../../parts/text/surface-name.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { severityChoices } from '../severity.tsx';

interface FilterMenuProps {
  readonly isOpen: boolean;
  onChange(isOpen: boolean): void;
}

/** All filters but the time. Those that are set are shown as chips below. */
export function FilterMenu({ isOpen, onChange }: FilterMenuProps) {
  const { filterCount } = useDiagnosticsSearch();
  return (
    <Popover
      opened={isOpen}
      onChange={onChange}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          onClick={() => onChange(!isOpen)}
          aria-keyshortcuts="f"
          rightSection={
            filterCount > 0 && (
              <Badge size="sm" circle>
                {filterCount}
                <span className="only-read"> set</span>
              </Badge>
            )
          }
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        w={300}
        onKeyDownCapture={({ key, target }) => {
          // An open list of choices takes it.
          const isForList = target instanceof Element && target.getAttribute('aria-expanded') === 'true';
          if (key === 'Escape' && !isForList) onChange(false);
        }}
      >
        <Fields onDone={() => onChange(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Fields({ onDone }: { onDone: () => void }) {
  const workspaceId = useWorkspaceId();
  const { search, filters, reasons, change } = useDiagnosticsSearch();
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  // The page has fetched it already.
  const counted = useQuery(diagnosticsQuery(workspaceId, { ...filters, limit: 1 }));
  const occurred = counted.data?.by_reason.map(({ reason }) => reason) ?? [];
  // A list outside would close the menu.
  const field = { size: 'xs', clearable: true, comboboxProps: { withinPortal: false } } as const;
  return (
    <Stack gap="xs">
      <MultiSelect
        {...field}
        label="Reason"
        placeholder={reasons.length === 0 ? 'Any reason' : ''}
        data={[...new Set([...reasons, ...occurred])]}
        value={[...reasons]}
        onChange={(values) => change({ reason: values.length === 0 ? undefined : values.join(',') })}
        searchable
        nothingFoundMessage="No such reason occurred in this time."
      />
      <Select
        {...field}
        label="Severity"
        placeholder="Any severity"
        data={severityChoices}
        value={search.severity ?? null}
        onChange={(value) => change({ severity: value ?? undefined })}
      />
      <Select
        {...field}
        searchable
        label="Form"
        placeholder="All forms"
        data={forms.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={search.form_id ?? null}
        onChange={(value) => change({ form_id: value ?? undefined })}
      />
      <Select
        {...field}
        searchable
        label="Token"
        placeholder="All tokens"
        data={tokens.data?.items.map(({ id, name, hint }) => ({ value: id, label: `${name} ${hint}` })) ?? []}
        value={search.token_id ?? null}
        onChange={(value) => change({ token_id: value ?? undefined })}
      />
      <Select
        {...field}
        label="Surface"
        placeholder={anySurface}
        data={surfaceChoices}
        value={search.surface ?? null}
        onChange={(value) => change({ surface: value ?? undefined })}
      />
      <Button size="xs" variant="light" onClick={onDone} leftSection={<Icon name="check" size={14} />}>
        Done
      </Button>
    </Stack>
  );
}
