/** The account endpoints, which are not part of the contract: what they take and return. Those without a body are read with GET. */
export interface AccountCalls {
  '/sign-in/email': { body: { email: string; password: string }; answer: unknown };
  '/sign-out': { body: Record<never, never>; answer: unknown };
  '/change-password': { body: { currentPassword: string; newPassword: string }; answer: unknown };
  '/list-sessions': { body: undefined; answer: Session[] };
  '/revoke-session': { body: { token: string }; answer: unknown };
}

interface Session {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
}
