/**
 * The owner that each encrypted value of destinations is bound to, so that none can be swapped or moved. A rotation moves
 * the present secret to the previous one without decrypting it, so both have the same owner.
 */
export function destinationSecretOwner(destinationId: string): string {
  return `destination secret ${destinationId}`;
}

/** Own headers of a webhook. */
export function destinationHeadersOwner(destinationId: string): string {
  return `destination headers ${destinationId}`;
}

/** The head of the response to an attempt. */
export function responseHeadOwner(deliveryId: string): string {
  return `delivery response ${deliveryId}`;
}
