/** Keys for the tests of a customer's own page. They belong to no form, and nothing that is sent with them is stored. */
export const dummyKeys = {
  /** Every submission is accepted. */
  accepted: 'ingt_pub_test_always_accepted',
  /** Every submission is rejected. */
  rejected: 'ingt_pub_test_always_rejected',
  /** No challenge can be exchanged for a token, as if each had been used before. */
  spent: 'ingt_pub_test_always_spent',
} as const;
export type DummyKind = keyof typeof dummyKeys;

/** Their tokens name a workspace and forms that cannot exist, so that no real one can be meant. */
export const dummyWorkspaceId = '00000000-0000-0000-0000-000000000000';
export const dummyFormIds: Readonly<Record<DummyKind, string>> = {
  accepted: '00000000-0000-0000-0000-000000000001',
  rejected: '00000000-0000-0000-0000-000000000002',
  spent: '00000000-0000-0000-0000-000000000003',
};

const kinds = new Map<string, DummyKind>(
  Object.entries(dummyKeys).map(([kind, key]) => [key, kind as DummyKind]),
);

export function dummyKindOf(key: string): DummyKind | null {
  return kinds.get(key) ?? null;
}
