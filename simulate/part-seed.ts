/** A separate generator per part, so that the random choices of one do not depend on those of another. */
export function seedOf(seed: number, name: string): number {
  let mixed = seed ^ 0x9e3779b9;
  for (let at = 0; at < name.length; at++) mixed = Math.imul(mixed ^ name.charCodeAt(at), 0x01000193);
  return mixed;
}
