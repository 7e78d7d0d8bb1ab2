/** Each unit with its length, and how many of it make the next one. */
const steps = [
  ['second', 1_000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { style: 'short' });
/** The clocks of two machines may differ by this much. */
const justNowSeconds = 5;

/** "5 min ago". What has happened is never in the future, even if this machine's clock is slow. */
export function ago(time: string | number, now: number): string {
  const [count, unit] = rounded(now - new Date(time).getTime());
  return unit === 'second' && count < justNowSeconds ? 'just now' : plain(relative.format(-count, unit));
}

/** "in 5 min"; "now" if it is due. */
export function until(time: string | number, now: number): string {
  const [count, unit] = rounded(new Date(time).getTime() - now);
  return count === 0 ? 'now' : plain(relative.format(count, unit));
}

/** 59.6 minutes are an hour, not 60 minutes. */
function rounded(ms: number): [count: number, unit: Intl.RelativeTimeFormatUnit] {
  const size = Math.max(0, ms);
  const [unit, length] = steps.find(([, each, max]) => Math.round(size / each) < max) ?? steps[3];
  return [Math.round(size / length), unit];
}

/** Without the full stops of "5 min. ago" and "in 5 min.", which read as the end of a sentence. */
function plain(text: string): string {
  return text.replaceAll('.', '');
}
