/** How a rejected request was sent. */
export type Manner =
  /** Rightly signed, but long ago. */
  | 'late'
  /** The same, after the same bytes were accepted as a lead. */
  | 'repeated'
  /** The same with a key, and later once more, as it should be: someone may have admitted it meanwhile. */
  | 'retried'
  /** Signed with a secret of someone else, long ago or just now. */
  | 'forged';

export interface SentRequest {
  readonly bodySha256: string;
  readonly manner: Manner;
  /** The ID in the `202` that it got before or after its rejection. */
  told: string | null;
}

/** The response to an admission. */
export interface Admitted {
  readonly heldId: string;
  readonly submissionId: string;
}

export interface HeldRow {
  readonly id: string;
  readonly class: string;
  readonly state: string;
  readonly submissionId: string | null;
}

export interface HeldEvidence {
  readonly sent: readonly SentRequest[];
  /** How many attempts had a signature that matches: over the limit, a retry is rejected and kept, too. */
  readonly provenAttempts: number;
  readonly admitted: readonly Admitted[];
  /** Those whose discarding was confirmed. */
  readonly discarded: readonly string[];
  /** When all that could be admitted was. */
  readonly rows: readonly HeldRow[];
  /** The leads of the workspace, by the hash of their body. */
  readonly leads: readonly { readonly submissionId: string; readonly bodySha256: string }[];
  /** Rows that were still there when their time was over. */
  readonly overstayed: readonly HeldRow[];
  /** What is counted as used when nothing is left. */
  readonly usedAfterwards: number;
}

/** Every list must be empty. */
export interface HeldFindings {
  /** Said to be admitted, or marked so, but no lead. */
  readonly unadmitted: string[];
  /** The ID that a sender was told has no lead. */
  readonly forgotten: string[];
  /** More than one lead of one request. */
  readonly readmitted: string[];
  /** Two responses to the admission of one request that name different leads. */
  readonly reidentified: string[];
  /** Kept as proven, or even admitted, although the sender is a stranger. */
  readonly unproven: string[];
  /** Admitted after it was discarded. */
  readonly revived: string[];
  readonly overstayed: string[];
  readonly miscounted: string[];
}

export function checkHeld(evidence: HeldEvidence): HeldFindings {
  return {
    unadmitted: unadmittedIn(evidence),
    forgotten: forgottenIn(evidence),
    readmitted: readmittedIn(evidence),
    reidentified: reidentifiedIn(evidence),
    unproven: unprovenIn(evidence),
    revived: revivedIn(evidence),
    overstayed: evidence.overstayed.map(({ id, state }) => `${id}, which was ${state}`),
    miscounted: evidence.usedAfterwards === 0 ? [] : [`${evidence.usedAfterwards} bytes of nothing`],
  };
}

function unadmittedIn({ admitted, rows, leads }: HeldEvidence): string[] {
  const ids = new Set(leads.map(({ submissionId }) => submissionId));
  const promised = admitted.filter(({ submissionId }) => !ids.has(submissionId));
  const marked = rows.filter(
    ({ state, submissionId }) => state === 'admitted' && !ids.has(submissionId ?? ''),
  );
  return [
    ...promised.map(({ heldId, submissionId }) => `${heldId} as ${submissionId}`),
    ...marked.map(({ id }) => `${id} is marked as admitted`),
  ];
}

function forgottenIn({ sent, leads }: HeldEvidence): string[] {
  const ids = new Set(leads.map(({ submissionId }) => submissionId));
  return sent.flatMap(({ told, manner }) => (told !== null && !ids.has(told) ? [`${told}, ${manner}`] : []));
}

function readmittedIn({ leads }: HeldEvidence): string[] {
  return [...Map.groupBy(leads, ({ bodySha256 }) => bodySha256).values()].flatMap((same) =>
    same.length > 1 ? [same.map(({ submissionId }) => submissionId).join(' and ')] : [],
  );
}

function reidentifiedIn({ admitted, rows }: HeldEvidence): string[] {
  const marked = rows.flatMap(({ id, submissionId }) =>
    submissionId === null ? [] : [{ heldId: id, submissionId }],
  );
  return [...Map.groupBy([...admitted, ...marked], ({ heldId }) => heldId)].flatMap(([heldId, answers]) => {
    const ids = new Set(answers.map(({ submissionId }) => submissionId));
    return ids.size > 1 ? [`${heldId} as ${[...ids].join(' and ')}`] : [];
  });
}

function unprovenIn({ sent, provenAttempts, rows, leads }: HeldEvidence): string[] {
  const forged = new Set(sent.flatMap(({ manner, bodySha256 }) => (manner === 'forged' ? bodySha256 : [])));
  const kept = rows.filter((row) => row.class !== 'D').length;
  return [
    ...leads.flatMap(({ bodySha256, submissionId }) => (forged.has(bodySha256) ? [submissionId] : [])),
    ...(kept > provenAttempts ? [`${kept} are kept as proven, but only ${provenAttempts} were`] : []),
  ];
}

function revivedIn({ discarded, rows }: HeldEvidence): string[] {
  const gone = new Set(discarded);
  return rows.flatMap(({ id, state }) =>
    gone.has(id) && state !== 'discarded' ? [`${id} is ${state}`] : [],
  );
}
