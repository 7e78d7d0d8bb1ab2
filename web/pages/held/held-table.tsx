import { Box, Checkbox, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HeldSubmission } from '../../../src/contract/held/held.ts';
import { formsQuery } from '../../api/queries.ts';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { SelectionBar } from './decisions/selection-bar.tsx';
import { HeldRow } from './held-row.tsx';

/** As many as one call accepts by their IDs. */
const selectedMax = 1_000;

interface HeldTableProps {
  readonly rows: readonly HeldSubmission[];
  readonly hasMore: boolean;
  readonly canDecide: boolean;
}

export function HeldTable({ rows, hasMore, canDecide }: HeldTableProps) {
  const forms = useQuery(formsQuery(useWorkspaceId())).data?.items ?? [];
  const names = new Map(forms.map(({ id, name }) => [id, name]));
  const { ids, isAll, choose, choosePage, chooseAll, clear } = useSelection(rows);
  const isPage = isAll || ids.length === Math.min(rows.length, selectedMax);
  return (
    <>
      {canDecide && (
        <SelectionBar ids={ids} isAll={isAll} hasMore={hasMore} onChooseAll={chooseAll} onClear={clear} />
      )}
      <Box className="panel">
        <StackedTable minWidth={820}>
          <Table highlightOnHover highlightOnHoverColor="var(--page)" verticalSpacing={8}>
            <Table.Thead>
              <Table.Tr>
                {canDecide && (
                  <Table.Th w={34} pr={0}>
                    <Checkbox
                      size="xs"
                      aria-label="Select all on this page"
                      checked={isPage}
                      indeterminate={!isPage && ids.length > 0}
                      onChange={(event) => choosePage(event.currentTarget.checked)}
                    />
                  </Table.Th>
                )}
                <Table.Th>Received</Table.Th>
                <Table.Th>Form</Table.Th>
                <Table.Th>Reason</Table.Th>
                <Table.Th ta="right">Size</Table.Th>
                <Table.Th>{canDecide ? 'Deleted' : 'Decided'}</Table.Th>
                <Table.Th aria-label="Notes" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <HeldRow
                  key={row.id}
                  held={row}
                  formName={names.get(row.form_id)}
                  isChosen={isAll || ids.includes(row.id)}
                  onChoose={canDecide ? (isChosen) => choose(row.id, isChosen) : undefined}
                />
              ))}
            </Table.Tbody>
          </Table>
        </StackedTable>
      </Box>
    </>
  );
}

/** Rows that leave the list, because someone else decided on them, leave the selection too. */
function useSelection(rows: readonly HeldSubmission[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const shown = rows.map(({ id }) => id);
  return {
    ids: shown.filter((id) => chosen.has(id)).slice(0, selectedMax),
    isAll,
    choose(id: string, isChosen: boolean) {
      // Without one of them it is no longer everything.
      const next = new Set(isAll ? shown.slice(0, selectedMax) : chosen);
      if (isChosen) next.add(id);
      else next.delete(id);
      setAll(false);
      setChosen(next);
    },
    choosePage(isChosen: boolean) {
      setAll(false);
      setChosen(new Set(isChosen ? shown.slice(0, selectedMax) : []));
    },
    chooseAll: () => setAll(true),
    clear() {
      setAll(false);
      setChosen(new Set());
    },
  };
}
