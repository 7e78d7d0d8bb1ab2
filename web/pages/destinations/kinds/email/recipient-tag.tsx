import type { IconName } from '../../../../parts/icons.tsx';
import { Tag, type Tone } from '../../../../parts/tag.tsx';
import type { OfKind } from '../kind-words.ts';

export type Recipient = OfKind<'email'>['recipients'][number];

const looks: Readonly<Record<Recipient['status'] | 'new', readonly [string, Tone, IconName]>> = {
  member: ['Member', 'good', 'check'],
  confirmed: ['Confirmed', 'good', 'check'],
  waiting: ['Waiting for confirmation', 'warning', 'clock'],
  unsubscribed: ['Unsubscribed', 'quiet', 'ban'],
  new: ['New', 'accent', 'plus'],
};

/** Whether an address gets emails. */
export function RecipientTag({ status }: { status: Recipient['status'] | 'new' }) {
  const [word, tone, icon] = looks[status];
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  );
}
