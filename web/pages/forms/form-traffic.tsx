import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { diagnosticsQuery } from '../../api/queries.ts';
import { countText, numberText } from '../../parts/numbers.ts';
import { useIsOwner } from '../../shell/workspace.ts';

/** The traffic of the last day, with rate limits counted separately. Only owners may see rejections. */
export function FormTraffic({ workspaceId, formId }: { workspaceId: string; formId: string }) {
  const isOwner = useIsOwner();
  const { data } = useQuery({
    ...diagnosticsQuery(workspaceId, { form_id: formId, limit: 1 }),
    enabled: isOwner,
  });
  if (data === undefined) return <Text size="sm">–</Text>;
  const { accepted, other, rate_limited } = data.totals;
  if (accepted + other + rate_limited === 0) {
    return (
      <Text size="sm" c="dimmed">
        No traffic
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap" className="numbers">
      <Text size="sm">{countText(accepted, 'lead')}</Text>
      {other > 0 && (
        <Text size="sm" c="var(--rejected-text)">
          {numberText(other)} rejected
        </Text>
      )}
      {rate_limited > 0 && (
        <Text size="sm" c="var(--limited-text)">
          {numberText(rate_limited)} limited
        </Text>
      )}
    </Group>
  );
}
