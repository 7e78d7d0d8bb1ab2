/** What a field of a lead can mean to the scorer and to enrichment. */
export const fieldKinds = [
  'email',
  'name',
  'first_name',
  'last_name',
  'company',
  'phone',
  'title',
  'message',
  'subject',
  'website',
  'country',
  'address',
  'utm_medium',
  'attribution',
  'click_id',
  'referrer',
  'user_agent',
  'network_address',
  'consent',
  'other',
] as const;
export type FieldKind = (typeof fieldKinds)[number];
