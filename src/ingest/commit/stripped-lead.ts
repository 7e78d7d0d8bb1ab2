import type { StorableLead } from '../../db/ingest/ingest-commit.ts';

/** What is searched of a lead that has nothing to be searched by. */
export const emptyProjection = Buffer.from('{}');

/** The exact bytes can always be stored, so a lead that is refused loses what is made of them before it is given up. */
export function strippedLead<Lead extends StorableLead>(lead: Lead): Lead {
  return { ...lead, projection: emptyProjection, score: { ...lead.score, reasons: [], merits: [] } };
}

export function isStripped({ projection }: StorableLead): boolean {
  return projection === emptyProjection;
}
