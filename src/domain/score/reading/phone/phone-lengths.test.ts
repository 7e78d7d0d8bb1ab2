import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { isPlainlyPossible } from './phone-lengths.ts';

test('a number that is called plainly possible is possible for the library too, in every country', () => {
  const wrong: string[] = [];
  let accepted = 0;
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    for (const digits of ['0612345678901234', '1512345678901234', '2071838750123456', '8001234567890123']) {
      for (let length = 4; length <= digits.length; length++) {
        const number = `+${code} (${digits.slice(0, 2)}) ${digits.slice(2, length)}`;
        if (!isPlainlyPossible(number)) continue;
        accepted++;
        if (!parsePhoneNumberFromString(number)?.isPossible()) wrong.push(number);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(accepted).toBeGreaterThan(1_000);
});

test('a number with too many digits, letters or no calling code is never plainly possible', () => {
  for (const number of [`+49${'1'.repeat(36)}`, '+49 151 HELLO', '0151 23456789', '+0 151 2345678', '+'])
    expect(isPlainlyPossible(number)).toBe(false);
});
