import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const charactersMax = 40;

/** The country is only known for numbers in international form. */
export function phoneFacts(text: string | undefined): { e164: string; country: string | null } | null {
  if (text === undefined || text.length > charactersMax) return null;
  const phone = parsePhoneNumberFromString(text.trim());
  return phone?.isValid() ? { e164: phone.number, country: phone.country ?? null } : null;
}
