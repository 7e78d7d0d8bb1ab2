import { ApiProblem } from '../api/client.ts';

/** The fault of one input, as the API words it. `fields[2].key` is named as the API names it. */
export function faultOf(error: Error | null, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  return error.faults.find((fault) => fault.field === field)?.message;
}

/** The problem as a whole, unless each of its faults stands beside its input already. */
export function remainingProblem(error: Error | null, shownFields: readonly string[]): string | undefined {
  if (error === null) return undefined;
  if (!(error instanceof ApiProblem) || error.faults.length === 0) return error.message;
  const others = error.faults.filter(({ field }) => !shownFields.includes(field));
  return others.length === 0
    ? undefined
    : others.map(({ field, message }) => `${field}: ${message}`).join('; ');
}
