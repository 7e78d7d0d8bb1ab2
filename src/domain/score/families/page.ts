import type { PageSignals } from '../../browser/page-signals.ts';
import { contextField } from '../../lead/attribution.ts';
import { isObject, type LeadFields } from '../../lead/lead.ts';
import type { Hits } from '../hits.ts';
import type { CompiledScoring } from '../settings/compile.ts';
import type { StoredReason } from '../stored-reasons.ts';

const honeypotField = '_hp';
/** What the SDK of web pages adds to a lead describes the visit, so it is not read as text of the lead. */
export const visitFields: ReadonlySet<string> = new Set([contextField, honeypotField]);
/** A name that the SDK does not use is text of the lead: otherwise anything could hide there. */
export const visitMembers: ReadonlySet<string> = new Set([
  'page',
  'referrer',
  'campaign',
  'elapsed_ms',
  'webdriver',
]);

const instantMs = 1_000;
/** For a form whose owner has not set how long filling it in takes. */
const usualMinMs = 3_000;
/** A visitor may leave a page open for days; that says nothing. */
const elapsedMsMax = 86_400_000;

/** How the form was filled in, as its page saw it. It never decides alone: a program can send anything here. */
export function judgePage(lead: LeadFields, form: CompiledScoring, page: PageSignals, hits: Hits): void {
  if (Object.hasOwn(lead, honeypotField) && isFilled(lead[honeypotField]))
    hits.addOnce('HONEYPOT_FILLED', honeypotField);
  const context = contextOf(lead);
  if (context !== null) {
    judgeElapsed(context.elapsed_ms, form, hits);
    if (context.webdriver === true) hits.addOnce('BROWSER_AUTOMATED', contextField);
  }
  if (page.isHeadless) hits.addOnce('BROWSER_AUTOMATED');
  if (page.isUnproven) hits.add('BROWSER_UNPROVEN');
  if (page.isWorkFast) hits.add('BROWSER_WORK_FAST');
}

export function contextOf(lead: LeadFields): LeadFields | null {
  const context = Object.hasOwn(lead, contextField) ? lead[contextField] : null;
  return isObject(context) ? context : null;
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value === true;
}

/** Only if the form's own field has not told the same. */
function judgeElapsed(elapsed: unknown, { timing }: CompiledScoring, hits: Hits): void {
  if (typeof elapsed !== 'number' || !(elapsed >= 0 && elapsed <= elapsedMsMax)) return;
  if (hits.has('SENT_INSTANTLY') || hits.has('SENT_FAST')) return;
  const minMs = timing?.minMs ?? usualMinMs;
  const seconds = (elapsed / 1_000).toFixed(1);
  if (elapsed < Math.min(instantMs, minMs)) hits.add('SENT_INSTANTLY', contextField, seconds);
  else if (elapsed < minMs) hits.add('SENT_FAST', contextField, seconds);
}

/** What was known of the page when a stored lead was scored, as far as its findings tell. */
export function signalsIn(stored: readonly StoredReason[]): PageSignals {
  const automated = stored.find(({ code }) => code === 'BROWSER_AUTOMATED');
  const has = (wanted: string) => stored.some(({ code }) => code === wanted);
  return {
    isUnproven: has('BROWSER_UNPROVEN'),
    isWorkFast: has('BROWSER_WORK_FAST'),
    isHeadless: automated !== undefined && automated.field === undefined,
  };
}
