import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { countText } from '../../parts/numbers.ts';
import { sentence } from '../../parts/text/sentence.ts';
import { exactTime } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { disabledWords } from '../destinations/kinds/kind-words.ts';

const shownMax = 3;

/** Destinations that do not get their leads, the worst first, and why. */
export function Undelivered() {
  const workspaceId = useWorkspaceId();
  const troubled = (useQuery(destinationsQuery(workspaceId)).data?.items ?? [])
    .map((destination) => ({ destination, trouble: troubleOf(destination) }))
    .filter(({ trouble }) => trouble !== null)
    .toSorted((one, other) => other.destination.last_day.dead - one.destination.last_day.dead);
  if (troubled.length === 0) return null;
  return (
    <Alert color="red" icon={<Icon name="alert" />} title="Undelivered leads">
      <Stack component="ul" gap={6} m={0} p={0} className="statements">
        {troubled.slice(0, shownMax).map(({ destination, trouble }) => (
          <Text key={destination.id} component="li" size="sm" className="wrap">
            {trouble} <TroubleLink destination={destination} />
          </Text>
        ))}
        {troubled.length > shownMax && (
          <li>
            <TextLink to="/w/$workspaceId/destinations" params={{ workspaceId }} size="sm">
              {countText(troubled.length - shownMax, 'other destination')}
            </TextLink>
          </li>
        )}
      </Stack>
    </Alert>
  );
}

function TroubleLink({ destination: { id, last_day } }: { destination: Destination }) {
  const workspaceId = useWorkspaceId();
  return last_day.dead > 0 ? (
    <TextLink
      to="/w/$workspaceId/deliveries"
      params={{ workspaceId }}
      search={{ destination_id: id, state: 'dead' }}
      size="sm"
    >
      See the deliveries
    </TextLink>
  ) : (
    <TextLink
      to="/w/$workspaceId/destinations/$destinationId"
      params={{ workspaceId, destinationId: id }}
      size="sm"
    >
      Open the destination
    </TextLink>
  );
}

/** A sentence, or null if all is well. */
function troubleOf({ name, kind, status, disabled_reason, health, last_day }: Destination): string | null {
  const reason = health.last_error === null ? '' : ` Last error: ${sentence(health.last_error)}`;
  const { dead, waiting } = last_day;
  if (dead > 0) return `${countText(dead, 'lead')} could not be delivered to ${name}.${reason}`;
  if (status === 'disabled') {
    const why = disabledWords(kind, disabled_reason ?? 'failing').text;
    // The others are the last error.
    return `${name} is disabled. ${why}${disabled_reason === 'failing' ? reason : ''}`;
  }
  // A few failures are normal: they are tried again within minutes.
  if (status !== 'active' || health.failing_since === null || health.next_probe_at === null) return null;
  return `${name} has been failing since ${exactTime(health.failing_since)}, with ${countText(waiting, 'delivery')} waiting.${reason}`;
}
