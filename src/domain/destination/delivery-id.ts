import { systemRandomness } from '../../time/randomness.ts';

const timeDigits = 12;

/**
 * The ID of a delivery: version 7, with the time of its creation as the service knows it. Lists are in the order of IDs, and
 * a range of times is a range of IDs.
 */
export function deliveryId(createdAt: Date, uuid = systemRandomness.uuid()): string {
  return timePart(createdAt) + uuid.slice(timeDigits + 1);
}

/** No delivery that was created at this time or later has a smaller ID. */
export function firstDeliveryId(createdAt: Date): string {
  return `${timePart(createdAt)}-0000-0000-000000000000`;
}

/** Such an ID has no times before 1970. */
function timePart(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(timeDigits, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
