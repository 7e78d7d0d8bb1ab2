import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

const callingDigitsMax = 3;
const digitsMax = 15;
/** Signs between the digits do not matter. */
const plainShape = /^\+[1-9][\d ()./-]*\d$/;

/** By calling code: one bit for each length that the rest of a number has in all countries with that code. */
let lengthsByCode: Uint32Array | null = null;

/** Whether an international number surely is possible. Parsing it takes far longer. */
export function isPlainlyPossible(number: string): boolean {
  if (!plainShape.test(number)) return false;
  const digits = number.replace(/\D/g, '');
  if (digits.length > digitsMax) return false;
  lengthsByCode ??= readLengths();
  // No calling code is the beginning of another one.
  for (let length = 1; length <= callingDigitsMax; length++) {
    const lengths = lengthsByCode[Number(digits.slice(0, length))] as number;
    if (lengths !== 0) return ((lengths >>> (digits.length - length)) & 1) === 1;
  }
  return false;
}

function readLengths(): Uint32Array {
  const lengths = new Uint32Array(10 ** callingDigitsMax);
  const metadata = new Metadata();
  for (const country of getCountries()) {
    metadata.selectNumberingPlan(country);
    let own = 0;
    for (const length of metadata.numberingPlan?.possibleLengths() ?? []) own |= 1 << length;
    const code = Number(getCountryCallingCode(country));
    lengths[code] = lengths[code] === 0 ? own : (lengths[code] as number) & own;
  }
  return lengths;
}
