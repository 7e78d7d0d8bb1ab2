const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;
const partsMax = 2;

/** "6 min 12 s before it arrived": how far the clock of the sender, or the way of the request, is off. */
export function driftText(sentAt: string, receivedAt: string): string {
  const seconds = Math.round((Date.parse(receivedAt) - Date.parse(sentAt)) / 1_000);
  if (seconds === 0) return 'when it arrived';
  return `${lengthText(Math.abs(seconds))} ${seconds > 0 ? 'before' : 'after'} it arrived`;
}

/** The two largest units that are not zero. */
function lengthText(seconds: number): string {
  let rest = seconds;
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.slice(0, partsMax).join(' ');
}
