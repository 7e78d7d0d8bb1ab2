import { type GramRow, type PlaceInBlock, readGrams } from '../../../db/leads/blocks/block-reads.ts';
import type { Block } from '../../../db/leads/blocks/block-rows.ts';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import type { LeadCondition } from '../../../db/leads/lead-where.ts';
import type { Queryable } from '../../../db/pool.ts';
import { anyGram, gramsToFind } from '../../../domain/lead/blocks/grams.ts';
import { bitmapOf, placesIn } from '../../../domain/lead/blocks/places.ts';

/** Those that every matching lead has; none if the index cannot narrow the search. */
export function gramsOf({ text, fieldValues, where = [] }: LeadFilter): number[] {
  const grams = [
    ...(text === undefined ? [] : gramsToFind(text, false)),
    ...[...fieldValues.values()].flatMap((value) => gramsToFind(value, false)),
    ...where.flatMap((condition) => textsIn(condition).flatMap((value) => gramsToFind(value, true))),
  ];
  return [...new Set(grams)];
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

/** The leads of these blocks that may match: each block's from the newest to the oldest. */
export async function findCandidates(
  db: Queryable,
  workspaceId: string,
  blocks: readonly Block[],
  grams: readonly number[],
): Promise<PlaceInBlock[]> {
  const numbers = blocks.map(({ block }) => block);
  const rows = await readGrams(db, workspaceId, numbers, [...grams, anyGram]);
  const byBlock = Map.groupBy(rows, ({ block }) => block);
  return blocks.flatMap((block) =>
    candidatesIn(block, byBlock.get(block.block) ?? [], grams.length).map((place) => ({ block, place })),
  );
}

function candidatesIn({ leads }: Block, rows: readonly GramRow[], gramCount: number): number[] {
  const wanted = rows.filter(({ gram }) => gram !== anyGram);
  const wild = rows.find(({ gram }) => gram === anyGram);
  const found = new Uint8Array(Math.ceil(leads / 8)).fill(wanted.length === gramCount ? 0xff : 0);
  for (const { leads: encoded } of wanted) {
    const bitmap = bitmapOf(encoded, leads);
    for (let at = 0; at < found.length; at++) found[at] = (found[at] as number) & (bitmap[at] as number);
  }
  if (wild !== undefined) {
    const bitmap = bitmapOf(wild.leads, leads);
    for (let at = 0; at < found.length; at++) found[at] = (found[at] as number) | (bitmap[at] as number);
  }
  return placesIn(found);
}
