import { duration } from '../../diagnostics/duration.ts';
import {
  driftSeconds,
  isWithinTolerance,
  parseTimestamp,
  timestampToleranceSeconds,
} from '../../signature.ts';
import type { Finding } from '../mistakes.ts';
import { right, type Variant, wrong } from './variant.ts';

const halfHourSeconds = 1_800;
/** Time zones differ from UTC by at most 14 hours. */
const zoneSecondsMax = 14 * 3_600;

/** What is wrong with the notation of a timestamp; null if it is Unix seconds. */
export function timestampShape(value: string): Finding | null {
  if (parseTimestamp(value) !== null) return null;
  const digits = value.length;
  if (/^\d{13}$/.test(value))
    return finding('timestamp_milliseconds', 'the timestamp is in milliseconds, not seconds');
  if (/^(?:\d{16}|\d{19})$/.test(value)) {
    const unit = digits === 16 ? 'microseconds' : 'nanoseconds';
    return finding('timestamp_microseconds', `the timestamp is in ${unit}, not seconds`);
  }
  if (/^\d{1,12}\.\d*$/.test(value)) return finding('timestamp_fraction', 'the timestamp has a fraction');
  if (/[a-z:-]/i.test(value) && !Number.isNaN(Date.parse(value))) {
    return finding('timestamp_as_date', 'the timestamp is a date, not Unix seconds');
  }
  return finding('timestamp_unreadable', 'the timestamp is not a plain number of seconds');
}

/** The seconds that the sender most likely meant, for the clock and the search; null if it cannot be told. */
export function meantSeconds(value: string): number | null {
  const shape = timestampShape(value)?.code;
  if (shape === undefined) return parseTimestamp(value);
  if (shape === 'timestamp_milliseconds') return Math.floor(Number(value) / 1000);
  if (shape === 'timestamp_microseconds') return Number(value.slice(0, 10));
  if (shape === 'timestamp_fraction') return Math.floor(Number(value));
  if (shape === 'timestamp_as_date') return Math.floor(Date.parse(value) / 1000);
  return null;
}

/** Why a timestamp in seconds is outside the window; null if it is inside. */
export function timestampDrift(seconds: number, at: number): Finding | null {
  if (isWithinTolerance(seconds, at)) return null;
  const drift = driftSeconds(seconds, at);
  const off = duration(Math.abs(drift));
  if (isZoneOffset(drift)) {
    const side = drift > 0 ? 'ahead' : 'behind';
    return finding(
      'timestamp_local_time',
      `the timestamp is ${off} ${side}: local time was used instead of UTC`,
    );
  }
  return drift > 0
    ? finding('timestamp_ahead', `the sender's clock is ${off} ahead`)
    : finding('timestamp_stale', `the timestamp was ${off} old when the request arrived`);
}

/** Whole or half hours, almost exactly. A late request is never ahead, so a timestamp ahead may be less exact. */
function isZoneOffset(drift: number): boolean {
  const size = Math.abs(drift);
  const rest = Math.abs(size - Math.round(size / halfHourSeconds) * halfHourSeconds);
  return size >= halfHourSeconds - 60 && size <= zoneSecondsMax && rest <= (drift > 0 ? 120 : 20);
}

/** The header's text, then the same moment in other notations. */
export function timestampVariants(value: string): Variant<string>[] {
  const seconds = meantSeconds(value);
  if (seconds === null) return [right(value)];
  const date = new Date(seconds * 1000);
  const dates = Number.isNaN(date.getTime())
    ? []
    : [date.toISOString(), date.toISOString().replace('.000Z', 'Z'), date.toUTCString()];
  const others = [
    String(seconds),
    `${seconds}000`,
    String(meantMilliseconds(value)),
    `${seconds}.0`,
    `"${seconds}"`,
    ...dates,
  ];
  return [
    right(value),
    ...[...new Set(others)].filter((other) => other !== value).map((other) => signed(value, other)),
  ];
}

/** The seconds around the header's, nearest first, and each millisecond of its second. */
export function* neighbouringTimestamps(value: string, at: number): Generator<Variant<string>> {
  const centre = meantSeconds(value) ?? Math.floor(at / 1000);
  yield signed(value, String(centre));
  for (let off = 1; off <= timestampToleranceSeconds; off++) {
    for (const seconds of [centre - off, centre + off]) yield signed(value, String(seconds));
  }
  for (let ms = 1; ms < 1000; ms++) yield signed(value, `${centre}${String(ms).padStart(3, '0')}`);
}

function meantMilliseconds(value: string): number {
  return /[a-z:-]/i.test(value) ? Date.parse(value) : Math.floor(Number(value) * 1000);
}

function signed(sent: string, value: string): Variant<string> {
  return sent === ''
    ? wrong(value, 'timestamp_missing', `the timestamp ${value} was signed, but none was sent`)
    : wrong(value, 'timestamp_differs', `the timestamp ${value} was signed, but ${sent} was sent`);
}

function finding(code: Finding['code'], says: string): Finding {
  return { code, says };
}
