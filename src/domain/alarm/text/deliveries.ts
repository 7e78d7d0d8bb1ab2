import { type DisabledReason, disabledTexts } from '../../destination/destination.ts';
import { type EvidenceReader, facts, nameText, pathOf } from './reading.ts';
import type { ToldAlarm, Writer } from './told-alarm.ts';

export const deliveryFailing: Writer = (alarm, evidence) => ({
  title: `Deliveries to ${nameText(alarm.names, 'destination')} are failing`,
  facts: facts(
    ['Failing since', evidence.time('failing_since')],
    ['Waiting deliveries', waitingText(evidence)],
    ['Last error', evidence.text('last_error')],
    [
      'What to do',
      'Check the receiver. Deliveries are tried again for three days, and after five days the destination is disabled.',
    ],
  ),
  path: destinationPath(alarm),
});

function waitingText(evidence: EvidenceReader): string | null {
  const waiting = evidence.count('waiting');
  return waiting !== null && evidence.flag('is_waiting_exact') === false ? `${waiting} or more` : waiting;
}

export const destinationDisabled: Writer = (alarm, evidence) => {
  const reason = evidence.text('disabled_reason');
  return {
    title: `The destination ${nameText(alarm.names, 'destination')} was disabled`,
    facts: facts(
      ['Reason', reason === null ? null : (disabledTexts[reason as DisabledReason] ?? reason)],
      ['Last error', evidence.text('last_error')],
      [
        'What to do',
        'Once the receiver works again, enable the destination. What could not be delivered can be sent again.',
      ],
    ),
    path: destinationPath(alarm),
  };
};

function destinationPath({ destinationId }: ToldAlarm): string {
  return destinationId === null ? pathOf('/destinations') : pathOf(`/destinations/${destinationId}`);
}
