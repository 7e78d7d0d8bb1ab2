import { countryOf } from './countries.ts';

// Country endings that are sold to everybody.
const soldToAll = new Set(
  `ac ag ai am as bz cc co cx dj fm gg gl gs io is la li ly me ms mu nu pw sc sh so st su tk to tv vc vg ws`.split(
    ' ',
  ),
);

/** The country a domain's ending belongs to, when its ending says anything. */
export function countryOfDomain(domain: string): string | null {
  const ending = domain.slice(domain.lastIndexOf('.') + 1);
  if (ending.length !== 2 || soldToAll.has(ending)) return null;
  return ending === 'uk' ? 'GB' : countryOf(ending);
}
