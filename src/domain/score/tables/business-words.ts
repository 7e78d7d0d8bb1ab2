import { readWordSets } from '../../words/word-table.ts';
import { HashTable } from '../reading/hash-table.ts';
import { wordHash } from '../reading/word-hash.ts';

const words = readWordSets(new URL('business-words.txt', import.meta.url), ['buying', 'other']);

const intents = [
  ...[...words.buying].map((word): [number, number] => [wordHash(word), 1]),
  ...[...words.other].map((word): [number, number] => [wordHash(word), 2]),
];

/** By hash: 1 for words of buyers, 2 for words of people who want something else. */
export const intentWords = new HashTable(intents);

const topTitle =
  /\b(?:ceo|cto|cfo|coo|cmo|cio|cpo|ciso|chief|founder|co-?founder|owner|president|partner|managing director|gesch[aä]ftsf[uü]hrer(?:in)?|inhaber(?:in)?|vorstand|pdg|g[ée]rante?|dg|fondateur|propri[ée]taire|director general|due[nñ]o|gerente general|titolare|amministratore|eigenaar|directeur g[ée]n[ée]ral|prezes|генеральный директор|владелец)\b/i;
const headTitle =
  /\b(?:director|head|vp|vice president|svp|evp|directeur|directrice|directora?|direktor(?:in)?|leiter(?:in)?|bereichsleiter(?:in)?|direttore|diretor|dyrektor|директор)\b|leiter(?:in)?\b/i;
const managerTitle =
  /\b(?:manager|lead|principal|supervisor|responsable|gerente|jefe|responsabile|manager(?:in)?|kierownik|coordinator|руководитель|менеджер)\b/i;

export type TitleRank = 'top' | 'head' | 'manager';

/** "Assistant to the CEO" is none of these. */
export function titleRankOf(title: string): TitleRank | null {
  if (/\bassistant\b|\bassistenz\b|\bassistante?\b|\bintern\b/i.test(title)) return null;
  if (/\bvice[ -]president\b/i.test(title)) return 'head';
  if (topTitle.test(title)) return 'top';
  if (headTitle.test(title)) return 'head';
  return managerTitle.test(title) ? 'manager' : null;
}
