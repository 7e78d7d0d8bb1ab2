import { testWords } from '../tables/mail-domains.ts';

const typedLocal =
  /^(?:test(?:ing|s|mail|user|email|test)?\d{0,4}|asdf[a-z]{0,6}|qwert[yz]?|(?:(?:max|erika|m|e)[._-]?)?muster(?:mann|frau)|(?:john|jane)[._-]?doe)$/;
const sampleLabel = /^muster(?:mann|frau|firma)$/;
const placeholders: ReadonlySet<string> = new Set(['email', 'name', 'user', 'firma', 'company', 'domain']);
const oneKey = /^(.)\1{0,3}$/;
const keysMax = 4;
/** Longer local parts are neither test words nor placeholders. */
const wordMax = 9;

/**
 * "test@firm.com", "a@a.com", "asdf@asdf.de", "max@mustermann.de". `local` is without what follows a plus, `label` is
 * the first part of the domain.
 */
export function isTestAddress(local: string, label: string): boolean {
  if (local.length <= wordMax) {
    if (testWords.has(local) && (testWords.has(label) || local === label)) return true;
    if (placeholders.has(local) && placeholders.has(label)) return true;
    if (local.length <= keysMax && oneKey.test(local) && oneKey.test(label)) return true;
  }
  return typedLocal.test(local) || (label.startsWith('muster') && sampleLabel.test(label));
}
