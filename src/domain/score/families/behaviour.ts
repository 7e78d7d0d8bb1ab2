import type { LeadFields } from '../../lead/lead.ts';
import type { Hits } from '../hits.ts';
import type { LeadReading } from '../reading/reading.ts';
import type { CompiledScoring } from '../settings/compile.ts';

const instantMs = 1_000;
const dayMs = 86_400_000;
const program =
  /curl\/|wget|python|java\/|okhttp|go-http|libwww|scrapy|phantomjs|headless|selenium|puppeteer|bot\b|spider|crawler|axios|node-fetch|postman|httpclient/i;

/** How the form was filled in, if the sender passes it on in fields of the lead. */
export function judgeBehaviour(
  lead: LeadFields,
  form: CompiledScoring,
  reading: LeadReading,
  hits: Hits,
  now: number,
): void {
  for (const key of form.honeypot) {
    if (Object.hasOwn(lead, key) && isFilled(lead[key])) hits.addOnce('HONEYPOT_FILLED', key);
  }
  if (form.timing !== null) judgeTiming(lead, form.timing, hits, now);
  const agent = reading.first('user_agent');
  if (agent !== null) {
    const found = program.exec(agent.value.slice(0, 300))?.[0];
    if (found !== undefined) hits.add('AGENT_BOT', agent.key, found);
  }
}

/** An unchecked checkbox is not a filled honeypot. */
function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  return typeof value !== 'string' || value.trim() !== '';
}

function judgeTiming(
  lead: LeadFields,
  { renderedAtField, minMs }: NonNullable<CompiledScoring['timing']>,
  hits: Hits,
  now: number,
): void {
  const renderedAt = Object.hasOwn(lead, renderedAtField) ? timeOf(lead[renderedAtField]) : null;
  if (renderedAt === null) return;
  const took = now - renderedAt;
  // The sender's clock may be wrong: a time in the future or long ago says nothing.
  if (took < 0 || took > dayMs) return;
  const seconds = (took / 1_000).toFixed(1);
  if (took < Math.min(instantMs, minMs)) hits.add('SENT_INSTANTLY', renderedAtField, seconds);
  else if (took < minMs) hits.add('SENT_FAST', renderedAtField, seconds);
}

/** Seconds or milliseconds since 1970, as a number or a string of digits, or a date. */
function timeOf(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{9,14}$/.test(value.trim())
        ? Number(value)
        : null;
  if (number !== null) return Number.isFinite(number) ? (number < 1e11 ? number * 1_000 : number) : null;
  if (typeof value !== 'string' || value.length > 40) return null;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? null : parsed;
}
