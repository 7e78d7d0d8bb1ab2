import type { BlockContent, LeadToIndex, RunPiece } from '../../db/leads/blocks/block-rows.ts';
import { eachMember, kindOf, textOf } from '../../domain/json/json-text.ts';
import { columnId } from '../../domain/lead/blocks/columns.ts';
import { addGrams } from '../../domain/lead/blocks/grams.ts';
import { encodePlaces } from '../../domain/lead/blocks/places.ts';
import { compareKeys, sortKeyOf, textKey } from '../../domain/lead/blocks/sort-key.ts';
import type { Clock } from '../../time/clock.ts';
import { Turns } from '../../time/turns.ts';

const pieceLeads = 64;

interface Keyed {
  readonly key: string;
  readonly place: number;
}

/** What a block says of its leads, which are given with the newest first. Yields to other work meanwhile. */
export async function contentOf(leads: readonly LeadToIndex[], clock: Clock): Promise<BlockContent> {
  const turns = new Turns(clock);
  const placesByGram = new Map<number, number[]>();
  const byColumn = new Map<string, Keyed[]>();
  const addKey = (column: string, key: string | null, place: number) => {
    if (key === null) return;
    const keys = byColumn.get(column);
    if (keys === undefined) byColumn.set(column, [{ key, place }]);
    else keys.push({ key, place });
  };
  for (const [place, { fieldsText, score, grade }] of leads.entries()) {
    const addGram = (gram: number) => {
      const places = placesByGram.get(gram);
      if (places === undefined) placesByGram.set(gram, [place]);
      else if (places.at(-1) !== place) places.push(place);
    };
    addKey('score', textKey(String(score)), place);
    addKey('grade', textKey(grade), place);
    for (const [name, json] of eachMember(fieldsText)) {
      addGrams(kindOf(json) === 'text' ? textOf(json) : json, addGram);
      addKey(`field.${name}`, sortKeyOf(json), place);
    }
    await turns.take();
  }
  const grams: BlockContent['grams'] = { grams: [], leads: [] };
  for (const [gram, places] of placesByGram) {
    grams.grams.push(gram);
    grams.leads.push(encodePlaces(places, leads.length));
  }
  const pieces: RunPiece[] = [];
  for (const [column, keyed] of byColumn) {
    pieces.push(...piecesOf(columnId(column), keyed));
    await turns.take();
  }
  return { grams, pieces };
}

/** By key, and the oldest first among equal ones. */
function piecesOf(id: string, keyed: Keyed[]): RunPiece[] {
  const run = keyed.toSorted((a, b) => compareKeys(a.key, b.key) || b.place - a.place);
  const pieces: RunPiece[] = [];
  for (let start = 0; start < run.length; start += pieceLeads) {
    const some = run.slice(start, start + pieceLeads);
    pieces.push({
      columnId: id,
      firstKey: Buffer.from(some[0]?.key ?? ''),
      piece: pieces.length,
      keys: some.map(({ key }) => key),
      places: Buffer.from(Uint16Array.from(some, ({ place }) => place).buffer),
    });
  }
  return pieces;
}
