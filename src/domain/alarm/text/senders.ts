import { isReadableSender, senderName } from '../../senders/kinds.ts';
import { facts, nameText, pathOf } from './reading.ts';
import type { Writer } from './told-alarm.ts';

/** The reason is the sender. */
export const senderUnsupported: Writer = (alarm, evidence) => {
  const sender = senderName(alarm.reason ?? '');
  return {
    title: `${sender} posts to ${nameText(alarm.names, 'form')}, and its calls are rejected`,
    facts: facts(
      ['Calls in 24 hours', evidence.count('calls')],
      ['Last call', evidence.time('last_at')],
      ['Why', 'It has the right secret, but signs in its own way, which webhook URLs do not accept.'],
      [
        'What to do',
        isReadableSender(alarm.reason)
          ? 'Admit the held calls, and let further ones go through a relay that signs them, or that sends an ingest token.'
          : 'Its calls are held, but cannot be admitted yet. Let further ones go through a relay that signs them, or that sends an ingest token.',
      ],
    ),
    path: pathOf('/tokens/diagnostics/held', { form_id: alarm.formId, reason: 'sender_unsupported' }),
  };
};

export const keyReused: Writer = (alarm, evidence) => ({
  title: `Different leads to ${nameText(alarm.names, 'form')} have the same idempotency key`,
  facts: facts(
    ['Leads in an hour', evidence.count('leads')],
    ['Key', evidence.flag('is_secret') === true ? 'A credential of this service' : null],
    ['What happens', 'The sender gets the response of the first lead. The others are not stored, but held.'],
    ['What to do', 'Let the sender use a new key for each lead, and admit those that are held.'],
  ),
  path: pathOf('/tokens/diagnostics/held', { form_id: alarm.formId, reason: 'idempotency_key_reused' }),
});
