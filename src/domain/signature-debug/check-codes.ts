/** The checks in the order of the service. In a file of their own, for browsers. */
export const checkCodes = [
  'method',
  'address',
  'content_type',
  'content_encoding',
  'content_length',
  'secret_configured',
  'timestamp_present',
  'timestamp_format',
  'timestamp_window',
  'signature_present',
  'signature_format',
  'signature_match',
] as const;
export type CheckCode = (typeof checkCodes)[number];
