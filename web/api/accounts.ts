/** The account endpoints, which are not part of the contract: what they take and return. Those without a body are read with GET. */
export interface AccountCalls {
  '/sign-in/email': { body: { email: string; password: string }; answer: unknown };
  '/sign-out': { body: Record<never, never>; answer: unknown };
  '/change-password': { body: { currentPassword: string; newPassword: string }; answer: unknown };
}
