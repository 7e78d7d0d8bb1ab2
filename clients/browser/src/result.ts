import type { LeadgateAccepted, LeadgateFailed } from '../leadgate.d.ts';

/** Either of the two. */
export type Result = Partial<LeadgateAccepted & LeadgateFailed>;

/** The forms whose lead is on its way, and the buttons that are disabled for as long. */
export const busy = new Map<EventTarget, readonly HTMLButtonElement[]>();

/** Tells the page, then does what a form does by default: go to the next page, or be empty for the next lead. */
export function settle(target: EventTarget, detail: Result, next = ''): Result {
  const link = document.createElement('a');
  link.href = next;
  const event = new CustomEvent(`leadgate:${detail.reason ? 'failed' : 'accepted'}`, {
    bubbles: true,
    cancelable: true,
    detail,
  });
  const isDefault = target.dispatchEvent(event) && busy.has(target) && !detail.reason;
  // A URL with `javascript:` would run.
  const isLeaving = isDefault && next && link.protocol.startsWith('http');
  if (isLeaving) location.href = next;
  else if (isDefault) ownOf(target, 'reset').call(target);
  // The form stays busy while the browser leaves the page.
  if (!isLeaving || next[0] === '#') release(target);
  return detail;
}

export function release(target: EventTarget): void {
  for (const button of busy.get(target) ?? []) button.disabled = false;
  if (busy.delete(target)) (target as HTMLFormElement).ariaBusy = null;
}

/** What is the form's own, because a field of that name would hide it. */
export const ownOf = <Name extends keyof HTMLFormElement>(
  form: EventTarget,
  name: Name,
): HTMLFormElement[Name] => Reflect.get(HTMLFormElement.prototype, name, form);
