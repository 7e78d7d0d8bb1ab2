import type { StorableLead } from '../../db/ingest/ingest-commit.ts';

/** The projection of a lead without searchable fields. */
export const emptyProjection = Buffer.from('{}');

/** Without everything derived from the body: the exact bytes themselves can always be stored. */
export function strippedLead<Lead extends StorableLead>(lead: Lead): Lead {
  return { ...lead, projection: emptyProjection, score: { ...lead.score, reasons: [], merits: [] } };
}

export function isStripped({ projection }: StorableLead): boolean {
  return projection === emptyProjection;
}
