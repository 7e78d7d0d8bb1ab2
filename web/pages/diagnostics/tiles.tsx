import { Box, Group, SimpleGrid, Text } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { numberText, percentText } from '../../parts/numbers.ts';

interface TileProps {
  readonly icon: IconName;
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly color: string;
}

function Tile({ icon, label, value, note, color }: TileProps) {
  return (
    <Box className="panel" p={{ base: 'xs', xs: 'md' }} role="group" aria-label={label}>
      <Group gap={5} c={color} wrap="nowrap">
        <Icon name={icon} size={15} />
        <Text fz={{ base: 12, xs: 14 }} fw={550} style={{ whiteSpace: 'nowrap' }}>
          {label}
        </Text>
      </Group>
      <Text fz={{ base: 20, xs: 26 }} fw={650} lh={1.3} className="numbers">
        {value}
      </Text>
      <Text size="xs" c="dimmed" visibleFrom="xs">
        {note}
      </Text>
    </Box>
  );
}

/** Three numbers that are never added up: a rate limit is not an error in the request. */
export function Tiles({ totals }: { totals: Diagnostics['totals'] }) {
  const { accepted, other, rate_limited } = totals;
  const all = accepted + other + rate_limited;
  const noteOf = (count: number) =>
    all === 0 ? 'no submissions' : `${percentText(count / all)} of all submissions`;
  return (
    <SimpleGrid cols={3} mb="lg" spacing={{ base: 8, xs: 'md' }}>
      <Tile
        icon="check"
        label="Accepted"
        value={numberText(accepted)}
        note={noteOf(accepted)}
        color="var(--accepted-text)"
      />
      <Tile
        icon="ban"
        label="Rejected"
        value={numberText(other)}
        note={noteOf(other)}
        color="var(--rejected-text)"
      />
      <Tile
        icon="gauge"
        label="Rate limited"
        value={numberText(rate_limited)}
        note={noteOf(rate_limited)}
        color="var(--limited-text)"
      />
    </SimpleGrid>
  );
}
