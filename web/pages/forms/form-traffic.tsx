import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { diagnosticsQuery } from '../../api/queries.ts';
import { TextLink } from '../../parts/links.tsx';
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
  const params = { workspaceId };
  const filters = { form_id: formId, range: '24h' } as const;
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
      <TextLink to="/w/$workspaceId/leads" params={params} search={filters} size="sm" c="inherit">
        {countText(accepted, 'lead')}
      </TextLink>
      {other > 0 && (
        <TextLink
          to="/w/$workspaceId/tokens/diagnostics"
          params={params}
          search={filters}
          size="sm"
          c="var(--rejected-text)"
        >
          {numberText(other)} rejected
        </TextLink>
      )}
      {rate_limited > 0 && (
        <TextLink
          to="/w/$workspaceId/tokens/diagnostics"
          params={params}
          search={{ ...filters, tab: 'limited' }}
          size="sm"
          c="var(--limited-text)"
        >
          {numberText(rate_limited)} limited
        </TextLink>
      )}
    </Group>
  );
}
