import type { Rule } from '../rules.ts';
import { presetPoints } from './presets.ts';
import type { RiskFamily, ScoringSettings } from './settings.ts';

/**
 * What a rule adds under these settings, before the cap of its family: the form's own weight, else the preset's, else
 * the rule's; then the scale of the family.
 */
export function effectivePoints({ code, family, points }: Rule, settings: ScoringSettings): number {
  if (settings.disabled.includes(code)) return 0;
  const own = Object.hasOwn(settings.weights, code) ? settings.weights[code] : undefined;
  const scale = settings.families[family as RiskFamily]?.scale ?? 1;
  return Math.round((own ?? presetPoints(settings.preset, code) ?? points) * scale);
}

/** A cap takes away what is above it, so it has no points of its own to set or to switch off. */
export function isAdjustable({ family }: Rule): boolean {
  return family !== 'cap';
}
