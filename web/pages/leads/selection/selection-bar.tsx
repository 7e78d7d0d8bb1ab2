import { Anchor, Button, CloseButton, Group, Menu, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LeadAction } from '../../../../src/contract/leads/actions.ts';
import type { ExportFormat, LeadFilterInput } from '../../../../src/contract/leads/lead.ts';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { useKeys } from '../../../parts/keys/use-keys.ts';
import { numberText } from '../../../parts/numbers.ts';
import { toastDone, toastProblem } from '../../../parts/toast.ts';
import { useIsOwner, useWorkspaceId } from '../../../shell/workspace.ts';
import { tellMarked } from '../lead/marking.tsx';
import type { LeadListFilters } from '../lead-address.ts';
import {
  exportSelection,
  type LeadCount,
  leadCountQuery,
  type Selection,
  sizeOf,
  startMarking,
  undoMarking,
  withoutOrder,
} from './action-queries.ts';
import { doingText, sizeText } from './action-words.ts';
import { type LeadSelection, selectedMax } from './use-selection.ts';

const EraseDialog = lazyDialog(() => import('./erase-dialog.tsx'), 'EraseDialog');
const MarkDialog = lazyDialog(() => import('./mark-dialog.tsx'), 'MarkDialog');

interface SelectionBarProps {
  readonly selection: LeadSelection;
  readonly filters: LeadListFilters;
  /** More leads match than are loaded. */
  readonly hasMore: boolean;
}

type Mark = LeadAction['mark'];

/** What can be done with the selected leads. */
export function SelectionBar({ selection, filters: listed, hasMore }: SelectionBarProps) {
  const filters = withoutOrder(listed);
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { ids, isAll, isEmpty, isAllLoaded, chooseAll, clear } = selection;
  const canChooseAll = isAllLoaded && (hasMore || ids.length === selectedMax);
  const count = useQuery({ ...leadCountQuery(workspaceId, filters), enabled: isAll || canChooseAll });
  const [asked, setAsked] = useState<{ readonly mark: Mark } | 'erase' | null>(null);
  const chosen = chosenOf(selection, filters, count.data);
  useKeys(isEmpty ? {} : { Escape: { label: 'Clear the selection', press: clear } });
  const marking = useMutation({
    mutationFn: async (mark: Mark) =>
      chosen && { mark, chosen, id: await startMarking(workspaceId, chosen, mark) },
    onSuccess: (started) => started && onMarked(started.id, started.mark, started.chosen),
    onError: toastProblem,
  });
  const onMarked = (id: string, mark: Mark, marked: Selection) => {
    clear();
    const text = doingText({ action: 'mark', mark }, sizeText(sizeOf(marked)));
    tellMarked(`${text}.`, () => undoMarking(workspaceId, id));
  };
  if (isEmpty) return null;
  const isReady = chosen !== null && !marking.isPending;
  // One by one they were looked at; all that match were not.
  const mark = (value: Mark) => (isAll ? setAsked({ mark: value }) : marking.mutate(value));
  const close = () => setAsked(null);
  return (
    <Group
      className="panel selection-bar"
      gap="xs"
      justify="space-between"
      role="group"
      aria-label="Selection"
    >
      <Group gap="sm">
        <CloseButton aria-label="Clear selection" onClick={clear} />
        <Text size="sm" fw={560} role="status">
          {chosen === null ? 'Counting…' : `${sizeText(sizeOf(chosen))} selected`}
        </Text>
        {canChooseAll && !isAll && (
          <Anchor component="button" size="sm" onClick={chooseAll}>
            {selectAllText(count.data)}
          </Anchor>
        )}
        {count.isError && <Text size="sm">They could not be counted. Try again.</Text>}
      </Group>
      <Group gap={6}>
        <Button
          size="xs"
          variant="default"
          disabled={!isReady}
          leftSection={<Icon name="ban" size={14} />}
          onClick={() => mark('spam')}
        >
          Mark as spam
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!isReady}
          leftSection={<Icon name="check" size={14} />}
          onClick={() => mark('not_spam')}
        >
          Mark as not spam
        </Button>
        <Button size="xs" variant="subtle" color="gray" disabled={!isReady} onClick={() => mark(null)}>
          Remove mark
        </Button>
        <ExportChosen chosen={chosen} />
        {isOwner && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            disabled={!isReady}
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => setAsked('erase')}
          >
            Erase…
          </Button>
        )}
      </Group>
      {chosen !== null && (
        <>
          <EraseDialog opened={asked === 'erase'} chosen={chosen} onClose={close} onStarted={clear} />
          <MarkDialog
            opened={asked !== null && asked !== 'erase'}
            mark={asked === 'erase' ? null : (asked?.mark ?? null)}
            chosen={chosen}
            onClose={close}
            onMarked={onMarked}
          />
        </>
      )}
    </Group>
  );
}

function selectAllText(counted: LeadCount | undefined): string {
  if (counted === undefined) return 'Select all that match';
  const count = numberText(counted.count);
  return counted.is_exact ? `Select all ${count} that match` : `Select all that match (at least ${count})`;
}

/** Null until it is known how many leads match. */
function chosenOf(
  { ids, isAll }: LeadSelection,
  filters: LeadFilterInput,
  counted: LeadCount | undefined,
): Selection | null {
  if (!isAll) return { ids };
  return counted === undefined ? null : { filters, counted };
}

function ExportChosen({ chosen }: { chosen: Selection | null }) {
  const workspaceId = useWorkspaceId();
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) => chosen && exportSelection(workspaceId, chosen, format),
    onSuccess: () => toastDone('The export has started.'),
    onError: toastProblem,
  });
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={chosen === null}
          loading={exporting.isPending}
          leftSection={<Icon name="download" size={14} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{chosen === null ? '' : `Export ${sizeText(sizeOf(chosen))}`}</Menu.Label>
        <Menu.Item onClick={() => exporting.mutate('xlsx')}>Excel file, for people</Menu.Item>
        <Menu.Item onClick={() => exporting.mutate('csv')}>CSV, for other spreadsheets</Menu.Item>
        <Menu.Item onClick={() => exporting.mutate('ndjson')}>NDJSON, for programs</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
