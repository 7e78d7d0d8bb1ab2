import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Hits } from '../hits.ts';
import { isPlainlyPossible } from '../reading/phone/phone-lengths.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';

const digitsMin = 7;
const digitsMax = 15;
const charactersMax = 40;

/** `value` is the field without links. A value that only looks like a phone number never counts against a lead. */
export function judgePhone(field: LeadField, value: string, reading: LeadReading, hits: Hits): void {
  const text = value.length > charactersMax ? value.slice(0, charactersMax) : value;
  const digits = digitsOf(text);
  const isPlausible = digits.length >= digitsMin && digits.length <= digitsMax;
  const isMade = isPlausible && isMadeUp(digits);
  if (isPlausible && !isMade) reading.hasPhone = true;
  if (field.isCertain) judgeDigits(field.key, text, digits, isPlausible, isMade, hits);
}

/** A loop, because a regular expression takes longer for so few characters. */
function digitsOf(text: string): string {
  let digits = '';
  for (let at = 0; at < text.length; at++) {
    const from = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at > from) digits += text.slice(from, at);
  }
  return digits;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function judgeDigits(
  key: string,
  text: string,
  digits: string,
  isPlausible: boolean,
  isMade: boolean,
  hits: Hits,
): void {
  // "ext. 12" and "or" are fine in a phone number; a longer word is not.
  if (/[a-z]{5,}/i.test(text) && !/ext|durchwahl/i.test(text)) hits.addOnce('PHONE_LETTERS', key);
  else if (!isPlausible) hits.addOnce('PHONE_LENGTH', key, String(digits.length));
  else if (isMade) hits.addOnce('PHONE_REPEATED', key);
  else if (/^1?[2-9]\d{2}55501\d{2}$/.test(digits)) hits.addOnce('PHONE_FICTITIOUS', key);
}

const inOrder = '01234567890123456789';
const inOrderDown = '98765432109876543210';

/** One repeated digit, or consecutive digits, after at most a country code. */
function isMadeUp(digits: string): boolean {
  const tail = digits.slice(-digitsMin);
  return /^(\d)\1+$/.test(tail) || inOrder.includes(tail) || inOrderDown.includes(tail);
}

/** By far the most expensive step. */
export function judgeValidity(reading: LeadReading, hits: Hits): void {
  const field = reading.first('phone');
  if (field === null || !field.isCertain || !reading.hasPhone || field.value.length > charactersMax) return;
  const isInternational = /^(?:\+|00)/.test(field.value);
  const country = countryOf(reading);
  if (!isInternational && country === undefined) return;
  const dialled = field.value.replace(/^00/, '+');
  if (isPlainlyPossible(dialled)) return;
  const number = parsePhoneNumberFromString(dialled, country);
  if (number === undefined || !number.isPossible()) hits.add('PHONE_INVALID', field.key);
}

function countryOf(reading: LeadReading): CountryCode | undefined {
  const country = reading.first('country')?.value.toUpperCase();
  return country !== undefined && isSupportedCountry(country) ? country : undefined;
}
