const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.\d{1,3}$/;
const ipv6 = /^[0-9a-f:]{2,39}$/i;
const mapped = /^::ffff:/i;
const groupCount = 8;

/**
 * The network that one household or office usually has to itself: /24, or /56 for IPv6. Null if it is not an IP
 * address, or a private one, which belongs to a proxy.
 */
export function householdOf(text: string): string | null {
  const address = text.replace(mapped, '');
  const parts = ipv4.exec(address);
  if (parts !== null) {
    const bytes = parts.slice(1).map(Number);
    return bytes.some((byte) => byte > 255) || isInside(bytes) ? null : bytes.join('.');
  }
  return ipv6.test(address) ? ipv6Network(address.toLowerCase()) : null;
}

function isInside([first = 0, second = 0]: readonly number[]): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}

/** Only 2000::/3 is in public use. */
function ipv6Network(address: string): string | null {
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = halves.length === 2 ? groupCount - head.length - tail.length : 0;
  const groups = [...head, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...tail];
  if (groups.length !== groupCount || groups.some((group) => !/^[0-9a-f]{1,4}$/.test(group))) return null;
  const [first = 0, second = 0, third = 0, fourth = 0] = groups.map((group) => Number.parseInt(group, 16));
  return first >> 13 === 1 ? [first, second, third, fourth >> 8].join(':') : null;
}
