import './traffic-spark.css';
import { Stack, Text, Tooltip } from '@mantine/core';
import type { Token, TokenTraffic } from '../../../src/contract/tokens.ts';
import { TextLink } from '../../parts/links.tsx';
import { numberText } from '../../parts/numbers.ts';
import { rejectionName } from '../../parts/text/rejection-name.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const hourMs = 3_600_000;
const hoursShown = 24;
const slot = 10;
const height = 100;
/** From the bottom up. */
const kinds = ['accepted', 'rate_limited', 'other'] as const;

/** A day of a token, hour by hour, as a link to its log. What is in it by kind is in the tooltip and in the link's name. */
export function TrafficSpark({ token, isWide }: { token: Token; isWide?: boolean }) {
  const workspaceId = useWorkspaceId();
  const { traffic } = token;
  if (traffic === null)
    return (
      <Text size="sm" c="dimmed">
        Not available
      </Text>
    );
  const lines = outcomeLines(traffic);
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No traffic
      </Text>
    );
  return (
    <Tooltip
      events={{ hover: true, focus: true, touch: true }}
      label={
        <Stack gap={0}>
          {lines.map((line) => (
            <Text key={line} size="xs">
              {line}
            </Text>
          ))}
        </Stack>
      }
    >
      <TextLink
        to="/w/$workspaceId/tokens/diagnostics"
        params={{ workspaceId }}
        search={{ token_id: token.id, range: '24h' }}
        display="inline-block"
        {...(isWide ? { w: '100%' } : {})}
        aria-label={`Log of ${token.name}, last 24 hours: ${lines.join(', ')}`}
      >
        <Bars traffic={traffic} isWide={isWide ?? false} />
      </TextLink>
    </Tooltip>
  );
}

/** Only what happened: accepted requests, then each reason. */
export function outcomeLines({ accepted, by_reason }: TokenTraffic): string[] {
  const counts = [
    { name: 'accepted', count: accepted },
    ...by_reason.map(({ reason, category, count }) => ({
      name: category === 'rate_limit' ? `rate limited: ${nameIn(reason)}` : `rejected: ${nameIn(reason)}`,
      count,
    })),
  ];
  return counts.filter(({ count }) => count > 0).map(({ name, count }) => `${numberText(count)} ${name}`);
}

function nameIn(reason: string): string {
  const name = rejectionName(reason);
  return name === reason ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

function Bars({ traffic: { series }, isWide }: { traffic: TokenTraffic; isWide: boolean }) {
  const last = Math.floor(Date.now() / hourMs);
  const highest = Math.max(
    ...series.map(({ accepted, rate_limited, other }) => accepted + rate_limited + other),
  );
  return (
    <svg
      className="traffic-spark"
      viewBox={`0 0 ${hoursShown * slot} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-wide={isWide || undefined}
    >
      {series.map((hour) => {
        const place = hoursShown - 1 - (last - Math.floor(Date.parse(hour.at) / hourMs));
        let top = height;
        return kinds.map((kind) => {
          const size = (hour[kind] / highest) * height;
          top -= size;
          return (
            <rect
              key={`${hour.at} ${kind}`}
              data-kind={kind}
              x={place * slot + 1}
              width={slot - 2}
              y={top}
              height={size}
            />
          );
        });
      })}
    </svg>
  );
}
