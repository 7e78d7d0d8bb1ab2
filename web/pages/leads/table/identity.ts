import type { LeadListed } from '../../../../src/contract/leads/lead.ts';

type Fields = LeadListed['fields'];

/** Who sent a lead, by the usual keys. Forms in other languages declare their fields, which come first anyway. */
const identityKeys = [
  /^(?:(?:full|your|contact|customer)[\s_-]?)?name$/i,
  /^(?:first|given|fore)[\s_-]?name$/i,
  /^(?:last|family|sur)[\s_-]?name$/i,
  /^(?:(?:your|work|business|contact)[\s_-]?)?e?[\s_-]?mail(?:[\s_-]?address)?$/i,
];
const [nameRank, firstRank, lastRank, emailRank] = [0, 1, 2, 3];
export const otherRank = identityKeys.length;
const emailAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const titleCharactersMax = 200;

/** Names come before email addresses, and both before other keys. */
export function identityRank(key: string): number {
  const rank = identityKeys.findIndex((pattern) => pattern.test(key));
  return rank === -1 ? otherRank : rank;
}

/** The name of the person, otherwise their address, otherwise the first text of the lead. */
export function titleOf(fields: Fields): string {
  const name =
    textOf(fields, nameRank) ||
    [textOf(fields, firstRank), textOf(fields, lastRank)].filter((part) => part !== '').join(' ');
  return name || emailOf(fields) || firstText(fields) || 'Lead without text';
}

export function emailOf(fields: Fields): string {
  return textOf(fields, emailRank) || texts(fields).find((text) => emailAddress.test(text)) || '';
}

function textOf(fields: Fields, rank: number | undefined): string {
  const key = Object.keys(fields).find((each) => identityRank(each) === rank && isText(fields[each]));
  return key === undefined ? '' : cut(String(fields[key]));
}

function firstText(fields: Fields): string {
  return texts(fields)[0] ?? '';
}

function texts(fields: Fields): string[] {
  return Object.values(fields)
    .filter(isText)
    .map((value) => cut(value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function cut(text: string): string {
  return text.trim().slice(0, titleCharactersMax);
}
