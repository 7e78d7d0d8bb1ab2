/** Whether an address gets the emails of a destination. Nobody does without having agreed. */
export const recipientStatuses = ['member', 'confirmed', 'waiting', 'unsubscribed'] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];

export interface RecipientFacts {
  readonly confirmedAt: Date | null;
  readonly unsubscribedAt: Date | null;
  /** True if it is the proven address of someone who is a member of the workspace now. */
  readonly isMember: boolean;
}

/** A confirmation counts if it came after the last time that the recipient unsubscribed. */
export function recipientStatus({ confirmedAt, unsubscribedAt, isMember }: RecipientFacts): RecipientStatus {
  if (unsubscribedAt !== null)
    return confirmedAt !== null && confirmedAt > unsubscribedAt ? 'confirmed' : 'unsubscribed';
  if (confirmedAt !== null) return 'confirmed';
  return isMember ? 'member' : 'waiting';
}

export function receives(status: RecipientStatus): boolean {
  return status === 'member' || status === 'confirmed';
}
