/**
 * Why a request that could be kept was not:
 *
 * limit     too many of its kind in this minute or hour
 * memory    too many wait to be written
 * full      its form, its workspace or all workspaces together have used their room
 * known     it is kept already, or another copy with the same signature is
 * excluded  its slug belonged to another workspace before, its lead was erased, or its owner no longer keeps any
 * refused   the database does not store it
 */
export const notHeldCauses = ['limit', 'memory', 'full', 'known', 'excluded', 'refused'] as const;
export type NotHeldCause = (typeof notHeldCauses)[number];
