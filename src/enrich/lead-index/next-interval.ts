import { type Block, type Interval, listBlocks } from '../../db/leads/blocks/block-rows.ts';
import { findTimeAfter } from '../../db/leads/blocks/uncovered.ts';
import type { Queryable } from '../../db/pool.ts';

const beginning = new Date(0);

/**
 * The interval that the next block of a workspace covers; null if there is none to build.
 *
 *   no block yet         the newest 4,096 leads; a workspace with fewer has no blocks
 *   newer than all       the oldest 4,096 of these leads, as soon as there are as many
 *   between two          the newest 4,096 of these leads, or all of them: a block was here before
 *   older than all       the same, down to the first lead
 */
export async function nextInterval(
  db: Queryable,
  workspaceId: string,
  settled: Date,
  blockLeads: number,
): Promise<Interval | null> {
  const blocks = await listBlocks(db, workspaceId);
  const [newest] = blocks;
  if (newest === undefined) {
    const all = { from: beginning, to: settled };
    const from = await findTimeAfter(db, workspaceId, all, blockLeads - 1, 'newest');
    return from === null ? null : { from, to: settled };
  }
  if (newest.to < settled) {
    const newer = { from: newest.to, to: settled };
    const to = await findTimeAfter(db, workspaceId, newer, blockLeads, 'oldest');
    // All leads of one time are in one block.
    if (to !== null && to > newest.to) return { from: newest.to, to };
  }
  for (const gap of gapsIn(blocks)) {
    const from = await findTimeAfter(db, workspaceId, gap, blockLeads - 1, 'newest');
    return { from: from ?? gap.from, to: gap.to };
  }
  return null;
}

/** What lies between and before the blocks, the newest first. */
function gapsIn(blocks: readonly Block[]): Interval[] {
  return blocks.flatMap((block, i) => {
    const from = blocks[i + 1]?.to ?? beginning;
    return from < block.from ? [{ from, to: block.from }] : [];
  });
}
