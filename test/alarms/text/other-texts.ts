import { destinationId, formId, from, type KnownText, ofDestination, ofForm, ofToken } from './some-alarm.ts';

/** About limits, dates, destinations and the instance. */
export const otherTexts: readonly KnownText[] = [
  [
    'limit_near',
    { reason: 'server_day_80' },
    { used: 40_000, limit: 50_000, resets_at: '2026-11-18T09:00:00.000Z' },
    {
      title: 'The token surface has used 80 % of its daily limit',
      facts: {
        Used: '40,000',
        Limit: '50,000',
        'Accepts leads again': '2026-11-18 09:00 UTC',
        'What to do': 'Spread the submissions out: above the limit they are rejected.',
      },
      path: `/tokens/diagnostics?surface=server&${from}`,
    },
  ],
  [
    'limit_near',
    { reason: 'browser_minute_100' },
    { rejected: 1_500, minutes: 10, limit: 1_000 },
    {
      title: 'The browser surface has reached its limit per minute',
      facts: {
        Limit: '1,000',
        Rejected: '1,500 in 10 minutes',
        'What to do': 'Rejected leads of authenticated senders are held: admit them under Held submissions.',
      },
      path: `/tokens/diagnostics?surface=browser&tab=limited&${from}`,
    },
  ],
  [
    'clock_drift',
    ofForm,
    { requests: 1_200, median_seconds: -190, p95_seconds: -241, shape: 'clock' },
    {
      title: 'The clock of the sender of Contact form is wrong, and its requests may soon be rejected',
      facts: {
        'Half of the requests': 'signed 190 seconds ahead of our time',
        'Furthest 5 %': 'signed 241 seconds ahead of our time',
        Allowed: 'up to 300 seconds',
        Requests: '1,200',
        'What to do': "Synchronise the sender's clock, for example with NTP.",
      },
      path: `/forms/${formId}/delivery`,
    },
  ],
  [
    'clock_drift',
    ofForm,
    { shape: 'queue' },
    {
      title: 'Requests for Contact form arrive late, and may soon be rejected',
      facts: {
        Allowed: 'up to 300 seconds',
        'What to do': 'Sign each attempt again: the sender repeats requests with their old signatures.',
      },
      path: `/forms/${formId}/delivery`,
    },
  ],
  [
    'expiry_near',
    { ...ofToken, reason: 'days_3' },
    { expires_at: '2026-11-20T14:03:00.000Z', last_used_at: '2026-11-17T14:00:00.000Z' },
    {
      title: 'The token Backend expires within 3 days',
      facts: {
        Form: 'Contact form',
        'Valid until': '2026-11-20 14:03 UTC',
        'Last used': '2026-11-17 14:00 UTC',
        'What to do': 'Rotate the token and give its successor to the sender.',
      },
      path: '/tokens',
    },
  ],
  [
    'expiry_near',
    { ...ofForm, reason: 'overlap' },
    { ends_at: '2026-11-18T10:00:00.000Z' },
    {
      title: 'The former webhook secret of Contact form ends within a day and is still used',
      facts: {
        'Valid until': '2026-11-18 10:00 UTC',
        'What to do': 'Give the new secret to the sender, or requests are rejected.',
      },
      path: `/forms/${formId}/delivery`,
    },
  ],
  [
    'sender_unsupported',
    { ...ofForm, reason: 'typeform' },
    { calls: 12, last_at: '2026-11-18T10:00:00.000Z' },
    {
      title: 'Typeform posts to Contact form, and its calls are rejected',
      facts: {
        'Calls in 24 hours': '12',
        'Last call': '2026-11-18 10:00 UTC',
        Why: 'It has the right secret, but signs in its own way, which webhook URLs do not accept.',
        'What to do':
          'Admit the held calls, and let further ones go through a relay that signs them, or that sends an ingest token.',
      },
      path: `/tokens/diagnostics/held?form_id=${formId}&reason=sender_unsupported`,
    },
  ],
  [
    'sender_unsupported',
    { ...ofForm, reason: 'meta' },
    {},
    {
      title: 'Meta posts to Contact form, and its calls are rejected',
      facts: {
        Why: 'It has the right secret, but signs in its own way, which webhook URLs do not accept.',
        'What to do':
          'Its calls are held, but cannot be admitted yet. Let further ones go through a relay that signs them, or that sends an ingest token.',
      },
      path: `/tokens/diagnostics/held?form_id=${formId}&reason=sender_unsupported`,
    },
  ],
  [
    'key_reused',
    ofForm,
    { leads: 5, is_secret: true },
    {
      title: 'Different leads to Contact form have the same idempotency key',
      facts: {
        'Leads in an hour': '5',
        Key: 'A credential of this service',
        'What happens':
          'The sender gets the response of the first lead. The others are not stored, but held.',
        'What to do': 'Let the sender use a new key for each lead, and admit those that are held.',
      },
      path: `/tokens/diagnostics/held?form_id=${formId}&reason=idempotency_key_reused`,
    },
  ],
  [
    'held_waiting',
    {},
    { count: 412, first_expires_at: '2026-11-20T10:00:00.000Z' },
    {
      title: 'Held submissions expire within 3 days',
      facts: {
        Waiting: '412 submissions',
        'First expires': '2026-11-20 10:00 UTC',
        'What to do': 'Admit those that are leads, and discard the others.',
      },
      path: '/tokens/diagnostics/held',
    },
  ],
  [
    'delivery_failing',
    ofDestination,
    {
      failing_since: '2026-11-17T13:00:00.000Z',
      waiting: 1_000,
      is_waiting_exact: false,
      last_error: 'The receiver failed: 500',
    },
    {
      title: 'Deliveries to CRM are failing',
      facts: {
        'Failing since': '2026-11-17 13:00 UTC',
        'Waiting deliveries': '1,000 or more',
        'Last error': 'The receiver failed: 500',
        'What to do':
          'Check the receiver. Deliveries are tried again for three days, and after five days the destination is disabled.',
      },
      path: `/destinations/${destinationId}`,
    },
  ],
  [
    'destination_disabled',
    ofDestination,
    { disabled_reason: 'gone' },
    {
      title: 'The destination CRM was disabled',
      facts: {
        Reason: 'The receiver wants no more deliveries.',
        'What to do':
          'Once the receiver works again, enable the destination. What could not be delivered can be sent again.',
      },
      path: `/destinations/${destinationId}`,
    },
  ],
  [
    'unattributed_surge',
    { workspaceId: null, reason: 'token_unknown' },
    { rejected: 9_000, minutes: 10, usual: 12 },
    {
      title: 'More requests than usual are rejected that belong to no workspace',
      facts: {
        Reason: 'The token does not exist.',
        Rejected: '9,000 in 10 minutes',
        'Usually rejected': '12 in 10 minutes',
        'What to do':
          'Anyone can send such requests. If someone reports missing leads, check their token and URL.',
      },
      path: '/operator',
    },
  ],
  [
    'spool_waiting',
    { workspaceId: null },
    { leads: 3, bytes: 3_000_000, since: '2026-11-17T13:55:00.000Z', host: 'web-1' },
    {
      title: 'Leads wait in the spool and are not stored',
      facts: {
        Waiting: '3 leads',
        Size: '2.9 MiB',
        'Waiting since': '2026-11-17 13:55 UTC',
        Instance: 'web-1',
        'What to do':
          'Check PostgreSQL and the log of the service. Keep the files of the spool: no lead is lost.',
      },
      path: '/operator',
    },
  ],
  [
    'watch_interrupted',
    { workspaceId: null },
    { since: '2026-11-17T13:55:00.000Z', until: '2026-11-17T13:58:00.000Z' },
    {
      title: 'Alarms were not checked for a while',
      facts: {
        'Last checked': '2026-11-17 13:55 UTC',
        'Checked again': '2026-11-17 13:58 UTC',
        'What to do':
          'The instance that checked them stopped without saying so. Look in its log. Another instance has continued.',
      },
      path: '/operator',
    },
  ],
];
