import type { FormField } from '../form.ts';
import { effectivePoints } from './effective-points.ts';
import { rules } from './rules.ts';
import type { ScoringSettings } from './settings.ts';

/** Stored with each lead, so that a score can be explained after the rules have changed. */
export const ruleset = '2026.11.1';

/** A form's settings in the form the scorer reads, made once per version and not per lead. */
export interface CompiledScoring {
  readonly fields: readonly FormField[];
  readonly thresholds: ScoringSettings['thresholds'];
  /** The points of each rule; a rule with none is off. */
  readonly points: ReadonlyMap<string, number>;
  readonly ruleset: string;
}

export function compileScoring(
  settings: ScoringSettings,
  fields: readonly FormField[],
  version: number,
): CompiledScoring {
  return {
    fields,
    thresholds: settings.thresholds,
    points: new Map(rules.map((rule) => [rule.code, effectivePoints(rule, settings)])),
    ruleset: version === 0 ? ruleset : `${ruleset}+form.${version}`,
  };
}
