import type { Surface } from '../../../domain/surface.ts';
import { shardOf } from '../../../domain/workspace.ts';

/** The token id in counts without a token. */
export const noToken = '00000000-0000-0000-0000-000000000000';

/** Whose requests are counted. */
export interface CountedBy {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly surface: Surface;
}

/** The sources that are on one node, by its shards. */
export function onNode<Source extends { readonly workspaceId: string }>(
  sources: readonly Source[],
  shards: readonly number[],
): Source[] {
  const ofNode = new Set(shards);
  return sources.filter(({ workspaceId }) => ofNode.has(shardOf(workspaceId)));
}
