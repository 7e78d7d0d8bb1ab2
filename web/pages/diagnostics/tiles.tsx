import { Box, Group, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { numberText, percentText } from '../../parts/numbers.ts';
import type { DiagnosticsSearch, LeadSearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

interface TileProps {
  readonly icon: IconName;
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly color: string;
  /** Around the number: opens what was counted. */
  readonly link?: ((number: ReactNode) => ReactNode) | undefined;
}

export function Tile({ icon, label, value, note, color, link }: TileProps) {
  return (
    <Box className="panel tile" p={{ base: 'xs', xs: 'md' }} role="group" aria-label={label}>
      <Group gap={5} c={color} wrap="nowrap">
        <Icon name={icon} size={15} />
        <Text fz={{ base: 12, xs: 14 }} fw={550} style={{ whiteSpace: 'nowrap' }}>
          {label}
        </Text>
      </Group>
      <Text fz={{ base: 20, xs: 26 }} fw={650} lh={1.3} className="numbers">
        {link === undefined ? value : link(value)}
      </Text>
      <Text size="xs" c="dimmed" visibleFrom="xs">
        {note}
      </Text>
    </Box>
  );
}

interface TilesProps {
  readonly totals: Diagnostics['totals'];
  /** The filters under which the leads of the first tile are found; undefined if there are none. */
  readonly leads: LeadSearch | undefined;
  /** The filters under which the rejections of the others are found. */
  readonly diagnostics: DiagnosticsSearch;
}

/** Three numbers that are never added up: a rate limit is not an error in the request. */
export function Tiles({ totals, leads, diagnostics }: TilesProps) {
  const params = { workspaceId: useWorkspaceId() };
  const { accepted, other, rate_limited } = totals;
  const all = accepted + other + rate_limited;
  const noteOf = (count: number) =>
    all === 0 ? 'no submissions' : `${percentText(count / all)} of these submissions`;
  return (
    <SimpleGrid cols={3} mb="lg" spacing={{ base: 8, xs: 'md' }}>
      <Tile
        icon="check"
        label="Accepted"
        value={numberText(accepted)}
        note={noteOf(accepted)}
        color="var(--accepted-text)"
        link={
          leads &&
          ((number) => (
            <Link to="/w/$workspaceId/leads" params={params} search={leads} className="tile-link">
              {number}
              <span className="only-read"> accepted, open leads</span>
            </Link>
          ))
        }
      />
      <Tile
        icon="ban"
        label="Rejected"
        value={numberText(other)}
        note={noteOf(other)}
        color="var(--rejected-text)"
        link={(number) => (
          <Link
            to="/w/$workspaceId/tokens/diagnostics"
            params={params}
            search={{ ...diagnostics, tab: undefined }}
            className="tile-link"
          >
            {number}
            <span className="only-read"> rejected, open diagnostics</span>
          </Link>
        )}
      />
      <Tile
        icon="gauge"
        label="Rate limited"
        value={numberText(rate_limited)}
        note={noteOf(rate_limited)}
        color="var(--limited-text)"
        link={(number) => (
          <Link
            to="/w/$workspaceId/tokens/diagnostics"
            params={params}
            search={{ ...diagnostics, tab: 'limited' }}
            className="tile-link"
          >
            {number}
            <span className="only-read"> rate limited, open diagnostics</span>
          </Link>
        )}
      />
    </SimpleGrid>
  );
}
