/** Roles of people in a workspace, the most powerful first. */
export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

export function reaches(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
