import { formId, from, type KnownText, ofForm, ofToken, tokenId } from './some-alarm.ts';

/** About forms and tokens. */
export const sourceTexts: readonly KnownText[] = [
  [
    'all_rejected',
    ofForm,
    {
      rejected: 1_412,
      minutes: 30,
      reasons: [{ reason: 'signature_mismatch', count: 1_412 }],
      last_accepted_at: '2026-11-17T13:30:59.000Z',
    },
    {
      title: 'All leads for Contact form are rejected',
      facts: {
        Rejected: '1,412 in 30 minutes',
        Reason: 'The signature does not match the timestamp and body that arrived. (1,412)',
        'Last accepted lead': '2026-11-17 13:30 UTC',
        'What to do': 'Check the secret, and sign the exact bytes that you send.',
      },
      path: `/tokens/diagnostics?form_id=${formId}&reason=signature_mismatch&${from}`,
    },
  ],
  [
    'all_rejected',
    ofToken,
    {
      reasons: [
        { reason: 'body_not_json', count: 1 },
        { reason: 'form_inactive', count: 5 },
      ],
    },
    {
      title: 'All leads from the token Backend for Contact form are rejected',
      facts: { Reason: 'The body is not valid JSON in UTF-8. (1)', 'What to do': 'Activate the form.' },
      path: `/tokens/diagnostics?form_id=${formId}&token_id=${tokenId}&${from}`,
    },
  ],
  [
    'after_change',
    { ...ofForm, reason: 'signature_mismatch' },
    {
      change: { action: 'x', text: 'Webhook secret rotated', at: '2026-11-17T14:00:00.000Z', by: 'Ada' },
      rejected: 3,
      first_at: '2026-11-17T14:01:00.000Z',
    },
    {
      title: 'Leads for Contact form are rejected since the webhook secret was changed',
      facts: {
        Change: 'Webhook secret rotated',
        Changed: '2026-11-17 14:00 UTC',
        'Changed by': 'Ada',
        'Rejected since': '3',
        'First rejected': '2026-11-17 14:01 UTC',
        Reason: 'The signature does not match the timestamp and body that arrived.',
        'What to do': 'Check the secret, and sign the exact bytes that you send.',
      },
      path: `/tokens/diagnostics?form_id=${formId}&reason=signature_mismatch&${from}`,
    },
  ],
  [
    'after_change',
    { ...ofForm, reason: 'form_unknown' },
    { change: { action: 'x', text: 'Changed the slug from contact to contact-us' } },
    {
      title: 'Leads for Contact form are rejected since its slug was changed',
      facts: {
        Change: 'Changed the slug from contact to contact-us',
        Reason: 'The form does not exist or was deleted.',
        'What to do': 'Check the slug in the URL, or create a token for an existing form.',
      },
      path: `/tokens/diagnostics?form_id=${formId}&reason=form_unknown&${from}`,
    },
  ],
  [
    'after_change',
    { reason: 'workspace_suspended' },
    {},
    {
      title: 'Leads are rejected since the workspace was suspended',
      facts: {
        Reason: 'The workspace is suspended.',
        'What to do': 'Ask the operator to resume the workspace.',
      },
      path: `/tokens/diagnostics?reason=workspace_suspended&${from}`,
    },
  ],
  [
    'silence',
    ofForm,
    {
      last_accepted_at: '2026-11-15T14:03:00.000Z',
      silent_hours: 19.4,
      expected: 9.26,
      usual_per_week: 1_234.5,
      silent_days: 3,
    },
    {
      title: 'No leads for Contact form',
      facts: {
        'Last lead': '2026-11-15 14:03 UTC',
        'Silent for': '19 hours',
        'Usual in that time': '9.3 leads',
        'Usual in a week': '1,235 leads',
        'Alarm after': '3 days, as set in the alarm settings',
        'What to do': 'Send a test lead, and check that the form or the backend still sends.',
      },
      path: `/tokens/diagnostics?form_id=${formId}&${from}`,
    },
  ],
  [
    'reject_spike',
    { ...ofToken, reason: 'body_not_json' },
    { rejected: 37, accepted: 2, minutes: 10, usual: 0.5, is_proven: false },
    {
      title: 'More requests from the token Backend for Contact form are rejected than usual',
      facts: {
        Reason: 'The body is not valid JSON in UTF-8.',
        Rejected: '37 in 10 minutes',
        'Accepted meanwhile': '2',
        'Usually rejected': '0.5 in 10 minutes',
        Senders: 'Not authenticated: anyone who knows the URL can send such requests.',
        'What to do': 'Send valid JSON; let a JSON library encode it.',
      },
      path: `/tokens/diagnostics?form_id=${formId}&token_id=${tokenId}&reason=body_not_json&${from}`,
    },
  ],
  [
    'field_vanished',
    { ...ofForm, reason: 'phone' },
    { key: 'phone', had_percent: 98.5, leads: 200, missing_in: 12 },
    {
      title: 'Leads for Contact form no longer have the field "phone"',
      facts: {
        'Missing in': 'the last 12 leads',
        'Present in': '99 % of the 200 leads before',
        'What to do': 'Check whether the field was renamed or removed where the leads come from.',
      },
      path: `/forms/${formId}`,
    },
  ],
  [
    'spam_surge',
    ofForm,
    { spam: 45, leads: 60, minutes: 60, usual_percent: 4.2 },
    {
      title: 'More spam than usual for Contact form',
      facts: {
        Spam: '45 in 60 minutes, of 60 leads',
        Usual: '4.2 %',
        'What to do': 'Look at the leads. If they are spam, nothing is lost; otherwise mark them as clean.',
      },
      path: `/leads?form_id=${formId}&verdict=spam&${from}`,
    },
  ],
];
