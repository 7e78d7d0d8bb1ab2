import type { LeadgateAccepted, LeadgateFailed, LeadgateOptions } from '../leadgate.d.ts';
import { textOf } from './texts.ts';

/** Either of the two. */
export type Result = Partial<LeadgateAccepted & LeadgateFailed>;

export type FullOptions = LeadgateOptions & { readonly url: string };

/** The forms whose leads are sent by the script. */
export const attached = new WeakMap<EventTarget, FullOptions>();

const alerts = new WeakMap<EventTarget, HTMLElement>();

/** The forms whose lead is on its way, and the buttons that are disabled for as long. */
export const busy = new Map<EventTarget, readonly HTMLButtonElement[]>();

/**
 * Tells the page, then does what a form does by default: go to the next page, or be empty for the next lead, or say that the
 * lead was not sent.
 */
export function settle(target: EventTarget, detail: Result, form = target): Result {
  // Without a form there is no place for a text.
  const { next, error } = attached.get(form) ?? { error: '' };
  const link = document.createElement('a');
  link.href = next as string;
  const event = new CustomEvent(`leadgate:${detail.reason ? 'failed' : 'accepted'}`, {
    bubbles: true,
    cancelable: true,
    detail,
  });
  const isAllowed = target.dispatchEvent(event);
  tell(form, isAllowed && detail.reason && (error ?? textOf(detail.reason)));
  const isDefault = isAllowed && !detail.reason && busy.has(target);
  // A URL with `javascript:` would run.
  const isLeaving = isDefault && next && link.protocol.startsWith('http');
  if (isLeaving) location.href = next;
  else if (isDefault) ownOf(target, 'reset').call(target);
  // The form stays busy while the browser leaves the page.
  if (!isLeaving || next[0] === '#') release(target);
  return detail;
}

/** Instead of what the form said before. */
export function tell(form: EventTarget, text?: string | false): void {
  alerts.get(form)?.remove();
  const alert = document.createElement('p');
  alert.role = 'alert';
  alert.textContent = text as string;
  alerts.set(form, alert);
  if (text) ownOf(form, 'append').call(form, alert);
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
