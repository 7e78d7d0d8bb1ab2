import { SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { numberText } from '../../parts/numbers.ts';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** The last 24 hours in numbers. Each counts deliveries, and opens their list. */
export function DayTiles({ destination: { id, last_day: day } }: { destination: Destination }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Tile label="Delivered, 24 hours" of={{ destination_id: id, state: 'delivered' }}>
        {numberText(day.delivered)}
      </Tile>
      <Tile
        label="Waiting"
        of={{ destination_id: id, state: 'pending' }}
        note={
          day.oldest_waiting_at === null ? null : (
            <>
              oldest <TimeAgo time={day.oldest_waiting_at} size="xs" />
            </>
          )
        }
      >
        {numberText(day.waiting)}
      </Tile>
      <Tile label="Dead, 24 hours" of={{ destination_id: id, state: 'dead' }} isBad={day.dead > 0}>
        {numberText(day.dead)}
      </Tile>
      <Tile label="Response time" note="95 % take no longer">
        {day.p95_ms === null ? '–' : `${numberText(day.p95_ms)} ms`}
      </Tile>
    </SimpleGrid>
  );
}

interface TileProps {
  readonly label: string;
  readonly of?: { readonly destination_id: string; readonly state: string };
  readonly note?: ReactNode;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Tile({ label, of, note, isBad, children }: TileProps) {
  const workspaceId = useWorkspaceId();
  return (
    <div className="panel tile" style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Text size="sm" c="dimmed">
        {of === undefined ? (
          label
        ) : (
          <Link to="/w/$workspaceId/deliveries" params={{ workspaceId }} search={of} className="tile-link">
            {label}
          </Link>
        )}
      </Text>
      <Text fz={24} fw={650} lh={1.3} className="numbers" {...(isBad ? { c: 'var(--rejected-text)' } : {})}>
        {children}
      </Text>
      {note !== null && note !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </div>
  );
}
