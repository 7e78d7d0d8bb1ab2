/** A number as text: `-12.5`, `1e6`, `0049`. */
export const decimalShape = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at either end. */
  readonly digits: string;
  /** How many digits are before the point; negative if zeros follow it. */
  readonly point: number;
}

/** Numbers of any length, exactly: an ID of 19 digits does not fit in a JavaScript number. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.sign === 0) return 0;
  if (a.point !== b.point) return a.point < b.point ? -a.sign : a.sign;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -a.sign : a.sign;
}

/** The same text for all notations of a number. */
export function decimalKey({ sign, digits, point }: Decimal): string {
  return `${sign} ${point} ${digits}`;
}

/** Null if it is not a number. Exponents are never written out, so `1e999999999` costs nothing. */
export function decimalOf(text: string): Decimal | null {
  if (!decimalShape.test(text)) return null;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const all = whole + fraction;
  const start = countZeros(all);
  const digits = all.slice(start, endWithoutZeros(all));
  if (digits === '') return { sign: 0, digits, point: 0 };
  const point = whole.length - start + Number(exponent);
  return { sign: text.startsWith('-') ? -1 : 1, digits, point };
}

function countZeros(digits: string): number {
  let count = 0;
  while (digits[count] === '0') count++;
  return count;
}

// A pattern such as /0+$/ takes quadratic time for many zeros followed by another digit.
function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return end;
}
