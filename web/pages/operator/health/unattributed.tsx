import { Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unattributedQuery } from '../../../api/operator-queries.ts';
import { numberText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { surfaceNames } from '../../../parts/text/surface-name.ts';
import { TimeAgo } from '../../../parts/time.tsx';
import { RequestSearch } from '../../diagnostics/filters/request-search.tsx';

export function Unattributed() {
  const [requestId, setRequestId] = useState('');
  const query = useQuery(unattributedQuery(requestId || undefined));
  return (
    <Box className="panel" p="lg">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Rejections without a workspace
        </Title>
        <RequestSearch key={requestId} value={requestId} onSearch={setRequestId} />
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        Last 24 hours: unknown tokens, slugs and public keys, and unreadable requests. You can search the last
        50,000 by request ID.
      </Text>
      <Loaded query={query} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm">
              {requestId === '' ? 'None.' : 'None of the last 50,000 has this request ID.'}
            </Text>
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
