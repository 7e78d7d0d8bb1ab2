const units = [
  [31_536_000, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** In the two largest units: "6 min 12 s", "3 h 5 min", "2 d". */
export function duration(seconds: number): string {
  const first = units.findIndex(([size]) => seconds >= size);
  if (first === -1) return '0 s';
  let left = seconds;
  const parts = units.slice(first, first + 2).map(([size, unit]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? '' : `${count} ${unit}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
