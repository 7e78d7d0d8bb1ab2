import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { countryOfDomain } from './countries.ts';

export interface InputPhone {
  readonly number: PhoneNumber;
  readonly isInternational: boolean;
  readonly confidence: number;
}

const charactersMax = 40;
const digitsMin = 6;
const digitsMax = 17;

/** An international number stands on its own; a national one is read in the typed country, or else the domain's. */
export function readPhone(
  text: string | null,
  country: string | null,
  domain: string | null,
): InputPhone | null {
  if (text === null || text.length > charactersMax) return null;
  // Parsing is by far the most expensive built-in step, so it is skipped for what cannot be a number.
  const digits = text.replace(/\D/g, '').length;
  if (digits < digitsMin || digits > digitsMax) return null;
  if (/^\s*(?:\+|00)/.test(text)) return valid(text.replace(/^\s*00/, '+'), undefined, 0.95);
  if (country !== null) return valid(text, country, 0.85);
  const guessed = domain === null ? null : countryOfDomain(domain);
  return guessed === null ? null : valid(text, guessed, 0.6);
}

function valid(text: string, country: string | undefined, confidence: number): InputPhone | null {
  if (country !== undefined && !isSupportedCountry(country)) return null;
  const number = parsePhoneNumberFromString(text, country as CountryCode | undefined);
  return number?.isValid() ? { number, isInternational: country === undefined, confidence } : null;
}
