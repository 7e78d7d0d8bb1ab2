import type { LeadRef } from '../db/leads/lead-ref.ts';
import type { NotedLead } from '../db/relay/noted-leads.ts';
import type { Note, NoteType } from '../db/relay/outbox.ts';

/** What one note says about one lead. */
export interface Noted {
  readonly note: Note;
  readonly shard: number;
  readonly workspaceId: string;
  readonly submissionId: string | null;
}

export function notedIn(notes: readonly Note[]): Noted[] {
  return notes.flatMap((note) =>
    note.shards.map((shard, i) => ({
      note,
      shard,
      workspaceId: note.workspaceIds[i] as string,
      submissionId: note.submissionIds[i] ?? null,
    })),
  );
}

/** Each lead once. */
export function leadsIn(notes: readonly Note[]): LeadRef[] {
  const leads = new Map<string, LeadRef>();
  for (const { shard, workspaceId, submissionId } of notedIn(notes))
    if (submissionId !== null)
      leads.set(keyOf({ workspaceId, submissionId }), { shard, workspaceId, submissionId });
  return [...leads.values()];
}

/** Two workspaces may have a lead with the same id. */
export function keyOf({ workspaceId, submissionId }: Pick<LeadRef, 'workspaceId' | 'submissionId'>): string {
  return `${workspaceId} ${submissionId}`;
}

const enrichingTypes: readonly NoteType[] = ['lead.accepted', 'lead.released', 'enrich'];

/** Those of the leads that are clean and noted as new, released or to be enriched again. */
export function leadsToEnrich(notes: readonly Note[], leads: readonly NotedLead[]): LeadRef[] {
  const wanted = new Set(
    leadsIn(notes.filter(({ type }) => enrichingTypes.includes(type))).map((lead) => keyOf(lead)),
  );
  return leads.filter((lead) => lead.verdict === 'clean' && wanted.has(keyOf(lead)));
}
