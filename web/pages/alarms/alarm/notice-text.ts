import type { WholeAlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { countText } from '../../../parts/numbers.ts';

export type Notice = WholeAlarmView['notices'][number];

const whats: Readonly<Record<Notice['what'], string>> = {
  opened: 'Opened',
  reminder: 'Reminder',
  closed: 'Over',
  digest: 'Digest',
};
const states: Readonly<Record<Notice['state'], string>> = {
  told: 'told',
  collected: 'waits for the next digest',
  digested: 'told in a digest',
  muted: 'muted, nobody was told',
};

/** What was told, and to how many owners by email. */
export function noticeText({ what, state, email_state, emails_sent }: Notice): string {
  return `${whats[what]}: ${states[state]}${emailText(email_state, emails_sent)}`;
}

function emailText(state: Notice['email_state'], sent: number): string {
  const owners = `email to ${countText(sent, 'owner')}`;
  if (state === 'due') return sent > 0 ? `, ${owners} so far` : ', email on its way';
  if (state === 'failed') return sent > 0 ? `, ${owners}, to others it failed` : ', email failed';
  return sent > 0 ? `, ${owners}` : '';
}
