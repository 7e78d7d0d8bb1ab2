import { readWordSets } from '../../src/domain/words/word-table.ts';

const samples = readWordSets(new URL('samples.txt', import.meta.url), [
  'business',
  'consumer',
  'short',
  'non-latin',
  'pitches',
  'link spam',
  'later clean',
  'later pitches',
]);

export const businessMessages = [...samples.business];
export const consumerMessages = [...samples.consumer];
export const shortMessages = [...samples.short];
/** Names and messages that are not in Latin letters. */
export const nonLatin = [...samples['non-latin']].map((line) => line.split('|') as [string, string]);
export const pitches = [...samples.pitches];
export const linkSpam = [...samples['link spam']];
export const laterClean = [...samples['later clean']];
export const laterPitches = [...samples['later pitches']];
