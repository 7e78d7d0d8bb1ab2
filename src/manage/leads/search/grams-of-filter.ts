import { type GramRow, type PlaceInBlock, readGrams } from '../../../db/leads/blocks/block-reads.ts';
import type { Block } from '../../../db/leads/blocks/block-rows.ts';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import type { LeadCondition } from '../../../db/leads/lead-where.ts';
import type { Queryable } from '../../../db/pool.ts';
import { anyGram, type GramRange, gramsToFind, pairToFind } from '../../../domain/lead/blocks/grams.ts';
import { bitmapOf, placesIn } from '../../../domain/lead/blocks/places.ts';

/** Of each range, every matching lead has a gram; none if the index cannot narrow the search. */
export function gramsOf(filter: LeadFilter): GramRange[] {
  const sought = soughtIn(filter);
  const grams = new Set(sought.flatMap(({ value, isQuoted }) => gramsToFind(value, isQuoted)));
  return [...grams].map((gram) => ({ first: gram, last: gram }));
}

/** As `gramsOf`. If no text has three characters, one of two characters has to do, whose range takes longer to read. */
export function gramsOrPairOf(filter: LeadFilter): GramRange[] {
  const grams = gramsOf(filter);
  if (grams.length > 0) return grams;
  return soughtIn(filter)
    .flatMap(({ value, isQuoted }) => pairToFind(value, isQuoted) ?? [])
    .slice(0, 1);
}

interface Sought {
  readonly value: string;
  /** It may be looked for in the JSON text of a list or an object. */
  readonly isQuoted: boolean;
}

function soughtIn({ text, fieldValues, where = [] }: LeadFilter): Sought[] {
  return [
    ...(text === undefined ? [] : [{ value: text, isQuoted: false }]),
    ...[...fieldValues.values()].map((value) => ({ value, isQuoted: false })),
    ...where.flatMap(textsIn).map((value) => ({ value, isQuoted: true })),
  ];
}

/** The texts that a condition on a field needs. Numbers have several notations, and other fields are not in the index. */
function textsIn(condition: LeadCondition): string[] {
  if (condition.formIds !== undefined || !condition.field.startsWith('field.')) return [];
  const { op, value } = condition;
  switch (op) {
    case 'eq':
    case 'in': {
      const values = [value].flat();
      return values.length === 1 && typeof values[0] === 'string' ? [values[0]] : [];
    }
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return typeof value === 'string' ? [value] : [];
    default:
      return [];
  }
}

/** The leads of a block that may match, as bits of their places. */
interface Candidates {
  readonly block: Block;
  readonly bitmap: Uint8Array;
}

export async function findCandidates(
  db: Queryable,
  workspaceId: string,
  blocks: readonly Block[],
  grams: readonly GramRange[],
): Promise<Candidates[]> {
  const numbers = blocks.map(({ block }) => block);
  const rows = await readGrams(db, workspaceId, numbers, [...grams, { first: anyGram, last: anyGram }]);
  const byBlock = Map.groupBy(rows, ({ block }) => block);
  return blocks.map((block) => ({ block, bitmap: bitmapIn(block, byBlock.get(block.block) ?? [], grams) }));
}

/** In the order of the blocks; each block's from the newest to the oldest, or the other way round. */
export function* eachPlace(found: readonly Candidates[], isAscending: boolean): Generator<PlaceInBlock> {
  for (const { block, bitmap } of found) {
    const places = placesIn(bitmap);
    for (const place of isAscending ? places.reverse() : places) yield { block, place };
  }
}

function bitmapIn({ leads }: Block, rows: readonly GramRow[], grams: readonly GramRange[]): Uint8Array {
  const bytes = Math.ceil(leads / 8);
  const found = new Uint8Array(bytes).fill(0xff);
  for (const range of grams) {
    const ofRange = new Uint8Array(bytes);
    for (const row of rows) if (isIn(range, row)) addAll(ofRange, bitmapOf(row.leads, leads));
    for (let at = 0; at < bytes; at++) found[at] = (found[at] as number) & (ofRange[at] as number);
  }
  for (const { gram, leads: encoded } of rows) if (gram === anyGram) addAll(found, bitmapOf(encoded, leads));
  return found;
}

function isIn({ first, last }: GramRange, { gram }: GramRow): boolean {
  return gram >= first && gram <= last;
}

function addAll(bitmap: Uint8Array, others: Uint8Array): void {
  for (let at = 0; at < bitmap.length; at++) bitmap[at] = (bitmap[at] as number) | (others[at] as number);
}
