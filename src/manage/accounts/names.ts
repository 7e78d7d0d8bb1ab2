export const authPath = '/api/auth';

/** The address of the caller, as we found it out; nobody can send it from outside. */
export const addressHeader = 'x-leadgate-client-address';

/** A browser keeps a `__Host-` cookie to this very host, and only if it came over https. */
export function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-leadgate_session' : 'leadgate_session';
}
