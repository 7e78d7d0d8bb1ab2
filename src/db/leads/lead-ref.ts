/** The key of a lead in every table that has a row for it. */
export interface LeadRef {
  readonly shard: number;
  readonly workspaceId: string;
  readonly submissionId: string;
}

/** For `unnest($1::smallint[], $2::uuid[], $3::uuid[])`. */
export function columnsOf(leads: readonly LeadRef[]) {
  return [
    leads.map(({ shard }) => shard),
    leads.map(({ workspaceId }) => workspaceId),
    leads.map(({ submissionId }) => submissionId),
  ];
}
