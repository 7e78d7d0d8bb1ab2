import type { ScoringSettingsJson } from '../../contract/scoring/settings.ts';
import type { FormScoring, ScoringVersion } from '../../contract/scoring.ts';
import type { FormScoringRecord, ScoringVersionRecord } from '../../db/forms/form-scoring.ts';
import { describeRule } from '../../domain/score/rule-description.ts';
import type { Rule } from '../../domain/score/rules.ts';
import { effectivePoints } from '../../domain/score/settings/effective-points.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';

/** The wire format uses snake case; otherwise the settings are the same on both sides. */
export function settingsOf({ timing, field_map: fieldMap, ...same }: ScoringSettingsJson): ScoringSettings {
  return {
    ...same,
    timing: timing === null ? null : { renderedAtField: timing.rendered_at_field, minMs: timing.min_ms },
    fieldMap,
  };
}

export function viewFormScoring({ version, settings, createdAt, createdBy }: FormScoringRecord): FormScoring {
  return {
    version,
    settings: viewSettings(settings),
    updated_at: createdAt?.toISOString() ?? null,
    updated_by: createdBy,
  };
}

export function viewScoringVersion(record: ScoringVersionRecord): ScoringVersion {
  const { version, settings, createdAt, createdBy } = record;
  return {
    version,
    settings: viewSettings(settings),
    created_at: createdAt.toISOString(),
    created_by: createdBy,
  };
}

export function viewRule(rule: Rule, settings: ScoringSettings) {
  const { code, family, axis, points } = rule;
  return {
    code,
    family,
    axis,
    points,
    effective_points: effectivePoints(rule, settings),
    disabled: settings.disabled.includes(code),
    description: describeRule(rule),
  };
}

function viewSettings({ timing, fieldMap, ...settings }: ScoringSettings): ScoringSettingsJson {
  const { disabled, honeypot, expect, allow, block } = settings;
  return {
    ...settings,
    weights: { ...settings.weights },
    disabled: [...disabled],
    honeypot: [...honeypot],
    timing: timing === null ? null : { rendered_at_field: timing.renderedAtField, min_ms: timing.minMs },
    expect: { countries: [...expect.countries], titles: [...expect.titles] },
    allow: { emails: [...allow.emails], domains: [...allow.domains] },
    block: {
      emails: [...block.emails],
      domains: [...block.domains],
      keywords: block.keywords.map(({ text, points }) => ({ text, points })),
    },
    field_map: { ...fieldMap },
    learning: { ...settings.learning },
  };
}
