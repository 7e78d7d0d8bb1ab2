import type { InputError } from '../../contract/problem.ts';
import type { FormField } from '../../domain/form.ts';
import { rules } from '../../domain/score/rules.ts';
import { isAdjustable, learnedBounds } from '../../domain/score/settings/effective-points.ts';
import { nearest } from '../../domain/score/settings/nearest.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import { invalidInput } from '../calls/problem.ts';

const codes: readonly string[] = rules.filter(isAdjustable).map(({ code }) => code);

/** Checks that the contract cannot make: whether the rules exist, and whether the settings fit the form. */
export function checkSettings(settings: ScoringSettings, fields: readonly FormField[]): void {
  const errors = [
    ...Object.keys(settings.weights).flatMap((code) => codeErrors(code, `settings.weights.${code}`)),
    ...Object.entries(settings.weights).flatMap(([code, points]) => boundErrors(code, points)),
    ...settings.disabled.flatMap((code, i) => codeErrors(code, `settings.disabled[${i}]`)),
    ...settings.honeypot.flatMap((key, i) => honeypotErrors(key, i, settings, fields)),
  ];
  if (errors.length > 0) throw invalidInput(errors);
}

function codeErrors(code: string, field: string): InputError[] {
  if (codes.includes(code)) return [];
  const likely = nearest(code, codes);
  const advice = likely === null ? 'GET …/scoring/rules lists the rules' : `did you mean ${likely}?`;
  return [{ field, message: `unknown rule; ${advice}` }];
}

/** What was learned can only count less than by default. */
function boundErrors(code: string, points: number): InputError[] {
  const [min, max] = learnedBounds[code] ?? [points, points];
  if (points >= min && points <= max) return [];
  return [{ field: `settings.weights.${code}`, message: `must be from ${min} to ${max}` }];
}

/** A honeypot that people fill in would make every lead of the form spam. */
function honeypotErrors(
  key: string,
  place: number,
  { fieldMap, timing }: ScoringSettings,
  fields: readonly FormField[],
): InputError[] {
  const required = fields.some((declared) => declared.key === key && declared.required === true);
  const filled = required
    ? 'is a required field of this form'
    : Object.hasOwn(fieldMap, key)
      ? 'is in field_map'
      : key === timing?.renderedAtField
        ? 'is the timing field'
        : null;
  if (filled === null) return [];
  const message = `${filled}, so people fill it in; use a field that only bots fill in`;
  return [{ field: `settings.honeypot[${place}]`, message }];
}
