export const authPath = '/api/auth';

/** The IP address of the caller. Set by us; clients cannot send it. */
export const addressHeader = 'x-leadgate-client-address';

/** Browsers keep a `__Host-` cookie to exactly this host, and only over https. */
export function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-leadgate_session' : 'leadgate_session';
}
