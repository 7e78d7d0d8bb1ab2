import { meaningOf, type ResponseMeaning } from './schedule.ts';

const texts: Record<ResponseMeaning, ((status: number) => string) | null> = {
  delivered: null,
  gone: (status) => `The receiver wants no more deliveries: ${status}`,
  throttled: (status) => `The receiver asks to try later: ${status}`,
  refused: (status) => `The receiver refuses this: ${status}`,
  redirected: (status) => `The receiver redirects elsewhere, which is not followed: ${status}`,
  failed: (status) => `The receiver failed: ${status}`,
};

/** What is wrong with a response, for the owner; null if nothing is. */
export function statusText(status: number): string | null {
  return texts[meaningOf(status)]?.(status) ?? null;
}
