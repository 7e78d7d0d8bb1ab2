import { Button, Group, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportFormat } from '../../../src/contract/leads/lead.ts';
import { fileAddress } from '../../api/client.ts';
import { Icon } from '../../parts/icons.tsx';
import { useKeys } from '../../parts/keys/use-keys.ts';
import type { LeadListFilters } from './lead-address.ts';
import { type LeadCount, leadCountQuery, withoutOrder } from './selection/action-queries.ts';
import { sizeText } from './selection/action-words.ts';
import type { LeadColumns } from './table/use-columns.ts';

interface ExportMenuProps {
  readonly workspaceId: string;
  readonly filters: LeadListFilters;
  readonly columns: LeadColumns;
  /** Only some of the leads can be sorted so far, and an export has all or is refused. */
  readonly isPreparing: boolean;
}

/** The leads of the list, in its order, with the columns of the table or with everything. */
export function ExportMenu({ workspaceId, filters, columns, isPreparing }: ExportMenuProps) {
  const [isOpen, setOpen] = useState(false);
  useKeys({ e: { label: 'Export', press: () => setOpen(true) } });
  const { data: counted } = useQuery({
    ...leadCountQuery(workspaceId, withoutOrder(filters)),
    enabled: isOpen && !isPreparing,
  });
  const address = (format: ExportFormat, shown?: string) =>
    fileAddress('/workspaces/:workspace_id/leads/export', {
      params: { workspace_id: workspaceId },
      query: { ...filters, format, columns: shown },
    });
  const shown = JSON.stringify(columns.columns.filter(({ isShown }) => isShown).map(({ id }) => id));
  return (
    <Menu position="bottom-end" width={300} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={15} />} aria-keyshortcuts="e">
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {/* Two lines, so that nothing moves when the number is known. */}
        <Menu.Label mih={48}>
          {isPreparing
            ? 'This order is still being prepared. Wait for it, or sort by Received.'
            : exportedText(counted)}
        </Menu.Label>
        {!isPreparing && (
          <>
            <Menu.Item component="a" href={address('xlsx', shown)} download>
              <ExportChoice
                name="Excel file of these columns"
                text="For people. The columns that the table shows, with all values as text."
              />
            </Menu.Item>
            <Menu.Item component="a" href={address('xlsx')} download>
              <ExportChoice name="Excel file" text="All columns, with all values as text." />
            </Menu.Item>
            <Menu.Item component="a" href={address('csv', shown)} download>
              <ExportChoice
                name="CSV of these columns"
                text="For other spreadsheets. Values that could run as formulas are escaped."
              />
            </Menu.Item>
            <Menu.Item component="a" href={address('csv')} download>
              <ExportChoice name="CSV" text="All columns. Values that could run as formulas are escaped." />
            </Menu.Item>
            <Menu.Item component="a" href={address('ndjson')} download>
              <ExportChoice name="NDJSON" text="For programs. One complete lead per line." />
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function exportedText(counted: LeadCount | undefined): string {
  if (counted === undefined) return 'All leads that match the filters, in the order of the list';
  return `Exports ${sizeText(counted)} in the order of the list`;
}

function ExportChoice({ name, text }: { name: string; text: string }) {
  return (
    <Group gap={0}>
      <Text size="sm" fw={550} w="100%">
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}
