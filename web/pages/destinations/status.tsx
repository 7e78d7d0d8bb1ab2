import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Tag, type Tone } from '../../parts/tag.tsx';
import { sentence } from '../../parts/text/sentence.ts';
import { exactTime, TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { disabledWords } from './kinds/kind-words.ts';

/** The most urgent that applies; never by colour alone. */
function statusOf({ status, health }: Destination): [string, Tone, IconName] {
  if (status === 'disabled') return ['Disabled', 'bad', 'ban'];
  if (status === 'paused') return ['Paused', 'warning', 'pause'];
  return health.failing_since === null ? ['Active', 'good', 'check'] : ['Failing', 'bad', 'alert'];
}

export function StatusTag({ destination }: { destination: Destination }) {
  const [word, tone, icon] = statusOf(destination);
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  );
}

/** One line below the status: since when, and what happens next. */
export function StatusNote({ destination }: { destination: Destination }) {
  const { kind, status, disabled_reason, health } = destination;
  if (status === 'disabled')
    return (
      <Text size="xs" c="dimmed" mt={4}>
        {disabledWords(kind, disabled_reason ?? 'failing').short}
      </Text>
    );
  if (status !== 'active' || health.failing_since === null) return null;
  return (
    <Text size="xs" c="dimmed" component="div" mt={4}>
      Began <TimeAgo time={health.failing_since} size="xs" />
      {health.next_probe_at !== null && (
        <>
          , next try <TimeUntil time={health.next_probe_at} size="xs" />
        </>
      )}
    </Text>
  );
}

/** Why nothing, or not everything, is delivered. */
export function StatusBanner({ destination, children }: { destination: Destination; children?: ReactNode }) {
  const { kind, status, disabled_reason, health } = destination;
  if (status === 'disabled')
    return (
      <Banner color="red" icon="ban" title="Disabled">
        {disabledWords(kind, disabled_reason ?? 'failing').text}{' '}
        {disabled_reason === 'gone'
          ? 'New leads are not sent here.'
          : 'New leads are collected, and sent once you resume it.'}{' '}
        {health.last_error !== null && `Last error: ${sentence(health.last_error)}`}
        {children}
      </Banner>
    );
  if (status === 'paused')
    return (
      <Banner color="yellow" icon="pause" title="Paused">
        New leads are collected, and sent once you resume it.
        {children}
      </Banner>
    );
  if (health.failing_since === null) return null;
  return (
    <Banner color="red" icon="alert" title={`Failing since ${exactTime(health.failing_since)}`}>
      {sentence(health.last_error ?? 'The receiver does not accept deliveries')}{' '}
      {health.next_probe_at === null
        ? 'Deliveries are tried again.'
        : `After ${health.consecutive_failures} failures in a row, one delivery is tried at a time: next try at ${exactTime(health.next_probe_at)}.`}
    </Banner>
  );
}

function Banner(props: { color: string; icon: IconName; title: string; children: ReactNode }) {
  const { color, icon, title, children } = props;
  return (
    <Alert color={color} icon={<Icon name={icon} />} title={title}>
      <Text size="sm" component="div" className="wrap">
        {children}
      </Text>
    </Alert>
  );
}
