import type { Delivery } from '../../../contract/destinations/deliveries.ts';

export function stateColour(state: Delivery['state']): 'green' | 'yellow' | 'red' | 'dim' {
  if (state === 'delivered') return 'green';
  if (state === 'dead') return 'red';
  return state === 'pending' ? 'yellow' : 'dim';
}

/** The status, or why there is none. */
export function outcomeText(status: number | null, error: string | null): string {
  return [status === null ? null : String(status), error].filter((part) => part !== null).join(' ');
}
