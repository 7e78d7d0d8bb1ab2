import { readTable } from '../../words/word-table.ts';
import { type FieldKind, fieldKinds } from '../settings/field-kinds.ts';

const bySpelling = new Map<string, FieldKind>();
const byStem: [string, FieldKind][] = [];

readTable(new URL('field-names.txt', import.meta.url), (word, section) => {
  const isStem = section.startsWith('stem ');
  const kind = fieldKinds.find((name) => name === (isStem ? section.slice('stem '.length) : section));
  if (kind === undefined) throw new Error(`unknown kind of field [${section}]`);
  if (isStem) byStem.push([word, kind]);
  else if (bySpelling.has(word.normalize('NFKD'))) throw new Error(`"${word}" is in the table already`);
  else bySpelling.set(word.normalize('NFKD'), kind);
});

export const kindBySpelling: ReadonlyMap<string, FieldKind> = bySpelling;
/** What a longer key contains; the first match decides. */
export const kindByStem: readonly (readonly [string, FieldKind])[] = byStem;
