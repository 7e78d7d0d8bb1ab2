/** Who may create a workspace: operators only, or everyone who is signed in. */
export const workspaceCreations = ['operators', 'everyone'] as const;
export type WorkspaceCreation = (typeof workspaceCreations)[number];

export const shardCount = 64;

/**
 * The shard of a workspace's rows. Workspace ids are random, so the last six bits of the id spread evenly. The shard is
 * stored with each row, so this function must never change.
 */
export function shardOf(workspaceId: string): number {
  return Number.parseInt(workspaceId.slice(-2), 16) % shardCount;
}
