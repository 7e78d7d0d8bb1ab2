/** What happens to leads and destinations, in the order of the documentation. A destination subscribes to some of them. */
export const eventTypes = [
  'lead.accepted',
  'lead.enriched',
  'lead.released',
  'lead.marked',
  'lead.erased',
  'destination.disabled',
  'alarm.opened',
  'alarm.reminder',
  'alarm.closed',
  'alarm.digest',
  'test',
] as const;
export type EventType = (typeof eventTypes)[number];

export const eventTexts: Record<EventType, string> = {
  'lead.accepted': 'A lead was accepted and scored.',
  'lead.enriched': 'A lead was enriched, or its enrichment changed.',
  'lead.released': 'A lead became clean because someone marked it as not spam.',
  'lead.marked': 'A lead was marked, or its mark was removed.',
  'lead.erased': 'A lead was erased. Only its ID is sent.',
  'destination.disabled': 'A destination was disabled because its receiver does not accept deliveries.',
  'alarm.opened': 'Something is wrong with the leads of the workspace.',
  'alarm.reminder': 'Something is still wrong, and nobody has acknowledged it.',
  'alarm.closed': 'What was wrong is over.',
  'alarm.digest':
    'Several alarms in one message: less important ones once a day, and those above 20 messages an hour.',
  test: 'A sample that an owner sent to test the destination.',
};

/** A test is sent to one destination on request, so nobody subscribes to it. */
export const subscribableEvents = eventTypes.filter((type) => type !== 'test');
export type SubscribableEvent = (typeof subscribableEvents)[number];

/** How leads leave: a signed request, an email, a message to a chat channel, or contacts of a CRM. */
export const destinationKinds = ['webhook', 'email', 'chat', 'hubspot'] as const;
export type DestinationKind = (typeof destinationKinds)[number];

/**
 * `active` sends. `paused` collects deliveries until an owner resumes it. `disabled` was stopped by the service, for one of
 * the reasons below.
 */
export const destinationStatuses = ['active', 'paused', 'disabled'] as const;
export type DestinationStatus = (typeof destinationStatuses)[number];

/**
 * `gone`: the receiver responded with 410, or a chat with 404. `refused`: a chat does not accept messages of this shape.
 * `no_recipients`: nobody is left who receives the emails. `failing`: no delivery succeeded for five days.
 */
export const disabledReasons = ['gone', 'refused', 'no_recipients', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const disabledTexts: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver wants no more deliveries.',
  refused: 'The receiver does not accept the messages.',
  no_recipients: 'Nobody is left who receives the emails.',
  failing: 'No delivery has succeeded for five days.',
};

/**
 * `pending` waits for its next try. `delivered`: the receiver accepted it. `dead`: every try failed. `skipped`: the lead no
 * longer met the filter, or lacks what the destination needs. `cancelled`: the lead was erased, or the destination was deleted.
 */
export const deliveryStates = ['pending', 'delivered', 'dead', 'skipped', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What the body of a delivery looks like; see payload.ts. */
export const formats = ['standard', 'flat', 'thin', 'mapped'] as const;
export type Format = (typeof formats)[number];

/** `enriched` waits for the enrichment of a lead, for up to `waitMaxSeconds`. */
export const sendWhens = ['accepted', 'enriched'] as const;
export type SendWhen = (typeof sendWhens)[number];

/** A new destination sends clean leads once, with their enrichment. */
export const destinationDefaults = {
  events: ['lead.accepted', 'lead.released'] as readonly SubscribableEvent[],
  filter: { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] },
  sendWhen: 'enriched',
  waitMaxSeconds: 120,
  perSecond: 50,
  format: 'standard',
} as const;

export const destinationLimits = {
  nameCharacters: 100,
  urlCharacters: 2_048,
  forms: 100,
  waitSeconds: 3_600,
  perSecondMin: 0.1,
  perSecondMax: 500,
  ownHeaders: 10,
  ownHeaderValueBytes: 1_024,
  conditions: 20,
  mappingRows: 50,
  bodyBytes: 256 * 1024,
  recipients: 20,
  rotationHoursDefault: 24,
  rotationHoursMax: 7 * 24,
} as const;

/** How long the feed goes back, and how long deliveries and their attempts can be seen. */
export const eventKeptDays = 30;
export const attemptKeptDays = 30;
export const deliveryKeptDays = 90;
