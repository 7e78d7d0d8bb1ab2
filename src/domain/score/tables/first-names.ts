import { readWordSets } from '../../words/word-table.ts';

const { names, tails } = readWordSets(new URL('first-names.txt', import.meta.url), ['names', 'tails']);

/** Common first names that bots append random letters to ("Masonfug"). */
export const botFirstNames = names;
/** Endings that make a real surname or a longer first name of them. */
export const surnameTails = tails;
