/** Why a delivery got no response with a status. */
export const deliveryFailures = [
  'network_off',
  'refused_address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'invalid_response',
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];
