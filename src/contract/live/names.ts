/** The parts of a workspace whose changes are told, and who is told: the same roles that may read them. */
export const watchedParts = {
  leads: 'member',
  tokens: 'member',
  forms: 'member',
  workspace: 'member',
  deliveries: 'member',
  members: 'owner',
  keys: 'owner',
  diagnostics: 'owner',
  held: 'owner',
  alarms: 'owner',
  enrichment: 'owner',
  destinations: 'owner',
  audit: 'owner',
} as const;

export type WatchedPart = keyof typeof watchedParts;

export const everyPart = Object.keys(watchedParts) as readonly WatchedPart[];

/** What a stream says: names of what changed, never its content. */
export type ChangeEvent =
  /** The first event: from now on nothing is missed. What was read earlier may be out of date. */
  | { readonly event: 'in_step'; readonly data: Readonly<Record<never, never>> }
  | {
      readonly event: 'changed';
      readonly data: { readonly workspace_id: string; readonly changed: readonly WatchedPart[] };
    }
  /** The caller's own account, roles or list of workspaces. */
  | { readonly event: 'me'; readonly data: Readonly<Record<never, never>> };
