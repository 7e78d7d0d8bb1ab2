import { Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unattributedQuery } from '../../../api/operator-queries.ts';
import { numberText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { surfaceNames } from '../../../parts/text/surface-name.ts';
import { TimeAgo } from '../../../parts/time.tsx';

export function Unattributed() {
  const query = useQuery(unattributedQuery);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5">
        Rejections without a workspace
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Last 24 hours: unknown tokens, slugs and public keys, and unreadable requests.
      </Text>
      <Loaded query={query} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm">None.</Text>
          ) : (
            items.map(({ surface, reason, text, count, last_at }) => (
              <Group
                key={`${surface} ${reason}`}
                justify="space-between"
                wrap="nowrap"
                py={6}
                className="field"
              >
                <Box>
                  <Text size="sm">{text}</Text>
                  <Text size="xs" c="dimmed" component="div">
                    {reason} · {surfaceNames[surface]} · last <TimeAgo time={last_at} size="xs" />
                  </Text>
                </Box>
                <Text fw={620} className="numbers">
                  {numberText(count)}
                </Text>
              </Group>
            ))
          )
        }
      </Loaded>
    </Box>
  );
}
