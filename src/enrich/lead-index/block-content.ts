import type { BlockContent, LeadToIndex, RunPiece } from '../../db/leads/blocks/block-rows.ts';
import { eachMember, kindOf, textOf } from '../../domain/json/json-text.ts';
import { columnId } from '../../domain/lead/blocks/columns.ts';
import { addGrams, anyGram } from '../../domain/lead/blocks/grams.ts';
import { encodePlaces, pieceLeads } from '../../domain/lead/blocks/places.ts';
import { compareKeys, sortKeyOf, textKey } from '../../domain/lead/blocks/sort-key.ts';
import type { Clock } from '../../time/clock.ts';
import { Turns } from '../../time/turns.ts';

// Senders may fill leads with text and field names that occur nowhere else, and a block must not get much larger than its
// leads. A lead whose text does not fit is read by every search instead.
const gramsPerLeadMax = 4_000;
const gramsPerBlockMax = 150_000;
/** When a block has more columns than this, older leads belong to the next one. */
const columnsMax = 2_000;
// Nobody can sort by longer ones.
const nameCharactersMax = 300;
// Between two looks at the clock.
const gramsPerTurn = 256;

interface Keyed {
  readonly key: string;
  readonly place: number;
}

/** What a block says of the first of these leads, which are given with the newest first. Yields to other work meanwhile. */
export async function contentOf(
  leads: readonly LeadToIndex[],
  clock: Clock,
): Promise<BlockContent & { readonly covered: number }> {
  const turns = new Turns(clock);
  const placesByGram = new Map<number, number[]>();
  const byColumn = new Map<string, Keyed[]>();
  const addKey = (column: string, key: string | null, place: number) => {
    if (key === null) return;
    const keys = byColumn.get(column);
    if (keys === undefined) byColumn.set(column, [{ key, place }]);
    else keys.push({ key, place });
  };
  let covered = 0;
  for (const [place, { fieldsText, score, grade, receivedAt }] of leads.entries()) {
    // All leads of one time are in one block.
    const isSameTime = leads[place - 1]?.receivedAt.getTime() === receivedAt.getTime();
    if (byColumn.size > columnsMax && !isSameTime) break;
    covered++;
    const grams = new Set<number>();
    addKey('score', textKey(String(score)), place);
    addKey('grade', textKey(grade), place);
    for (const [name, json] of eachMember(fieldsText)) {
      addGrams(kindOf(json) === 'text' ? textOf(json) : json, (gram) => grams.add(gram));
      if (name.length <= nameCharactersMax) addKey(`field.${name}`, sortKeyOf(json), place);
    }
    for (const gram of fits(grams, placesByGram) ? grams : [anyGram]) {
      const places = placesByGram.get(gram);
      if (places === undefined) placesByGram.set(gram, [place]);
      else places.push(place);
    }
    await turns.take();
  }
  const grams: BlockContent['grams'] = { grams: [], leads: [] };
  for (const [gram, places] of placesByGram) {
    grams.grams.push(gram);
    grams.leads.push(encodePlaces(places, covered));
    if (grams.grams.length % gramsPerTurn === 0) await turns.take();
  }
  const pieces: RunPiece[] = [];
  for (const [column, keyed] of byColumn) {
    pieces.push(...piecesOf(columnId(column), keyed));
    await turns.take();
  }
  return { grams, pieces, covered };
}

/** Whether a block that has some grams already can take those of one more lead. */
function fits(grams: ReadonlySet<number>, before: ReadonlyMap<number, unknown>): boolean {
  if (grams.size > gramsPerLeadMax) return false;
  if (before.size + grams.size <= gramsPerBlockMax) return true;
  let more = 0;
  for (const gram of grams) if (!before.has(gram)) more++;
  return more === 0 || before.size + more <= gramsPerBlockMax;
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
