/** What the account endpoints, which are not part of the contract, answer about a session. */
export interface Session {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
}
