import { transliterate } from '../../transliterate.ts';
import type { LeadReading } from '../reading/reading.ts';

const partMin = 3;
/** People shorten long names. */
const stemCharacters = 4;
const nameCharactersMax = 120;
/** Most names; the others take a microsecond. */
const ascii = /^[\x20-\x7e]*$/;
/** How German, Nordic and other letters are written without accents. */
const spelledOut: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  ə: 'e',
};

/** Whether the address was made from the name: "okonkwo84", "n.okonkwo", "ngozio" for Ngozi Okonkwo. */
export function isNameInAddress(reading: LeadReading): boolean {
  const local = reading.email?.local.replace(/[^a-z]/g, '') ?? '';
  if (local.length < partMin) return false;
  for (const { kind, value } of reading.fields) {
    if (kind !== 'name' && kind !== 'first_name' && kind !== 'last_name') continue;
    const name = value.slice(0, nameCharactersMax).toWellFormed().toLowerCase();
    if (isMadeFrom(local, plain(name)) || (!ascii.test(name) && isMadeFrom(local, plain(spelled(name)))))
      return true;
  }
  return false;
}

function isMadeFrom(local: string, name: string): boolean {
  const parts = name.split(/[^a-z]+/).filter((part) => part.length >= partMin);
  return (
    parts.some((part) => local.includes(part.slice(0, stemCharacters))) || parts.join('').includes(local)
  );
}

function plain(name: string): string {
  if (ascii.test(name)) return name.replaceAll("'", '');
  return transliterate(name.normalize('NFKD').replace(/[\p{M}'’ʻ]/gu, ''));
}

function spelled(name: string): string {
  return name.normalize('NFC').replace(/[äöüåøə]/g, (letter) => spelledOut[letter] ?? letter);
}
