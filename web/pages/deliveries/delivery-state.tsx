import type { Delivery } from '../../../src/contract/destinations/deliveries.ts';
import type { IconName } from '../../parts/icons.tsx';
import { Tag, type Tone } from '../../parts/tag.tsx';

type State = Delivery['state'];

export const stateNames: Readonly<Record<State, string>> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead',
  skipped: 'Skipped',
  cancelled: 'Cancelled',
};

export const stateTexts: Readonly<Record<State, string>> = {
  pending: 'It is tried again until it is delivered, for about three days.',
  delivered: 'The receiver accepted it.',
  dead: 'Every try failed. Send it again once the receiver works.',
  skipped:
    'It was not sent: the lead no longer met the conditions of the destination, or lacks what it needs, such as an email address.',
  cancelled: 'The lead was erased, or the destination was deleted, before it was sent.',
};

const looks: Readonly<Record<State, readonly [Tone, IconName]>> = {
  pending: ['warning', 'clock'],
  delivered: ['good', 'check'],
  dead: ['bad', 'alert'],
  skipped: ['quiet', 'ban'],
  cancelled: ['quiet', 'close'],
};

/** A delivery that failed before and waits is told apart from one that is new. */
export function StateTag({ delivery: { state, attempts } }: { delivery: Delivery }) {
  const [tone, icon] = looks[state];
  return (
    <Tag tone={tone} icon={icon}>
      {state === 'pending' && attempts > 0 ? 'Retrying' : stateNames[state]}
    </Tag>
  );
}

/** What came of the last try: the status, and why it does not count as delivered. */
export function lastResult({ last_status, last_error }: Delivery): string {
  return resultText(last_status, last_error);
}

/** Most errors name the status already. */
export function resultText(status: number | null, error: string | null): string {
  if (error === null) return status === null ? '' : `${status}`;
  return status === null || error.includes(`${status}`) ? error : `${status}: ${error}`;
}
