import type { Config } from '../config.ts';

/** Whether this process does that part of the work. */
export function hasRole({ role }: Pick<Config, 'role'>, part: Exclude<Config['role'], 'all'>): boolean {
  return role === 'all' || role === part;
}
