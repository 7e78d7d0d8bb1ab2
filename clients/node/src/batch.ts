import type { Submission } from './result.ts';

/** A lead of a batch that has no result: it was never answered, or is no lead. */
export interface Failed {
  readonly status: 'failed';
  readonly error: unknown;
}

export type BatchResult = Submission | Failed;

export interface BatchProgress {
  readonly done: number;
  readonly total: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly failed: number;
}

export interface BatchOptions<Lead> {
  /** How many leads are under way at once; 8 unless told otherwise. */
  readonly concurrency?: number;
  /** Names each lead by itself, so that a batch that is sent again stores nothing twice; else a random key. */
  readonly keyOf?: (lead: Lead, place: number) => string;
  readonly onProgress?: (progress: BatchProgress) => void;
  /** Ends the batch: leads that have no result yet fail with the reason of the signal. */
  readonly signal?: AbortSignal;
}

const concurrencyDefault = 8;

/** The result of each lead, in the order of the leads. One that fails does not keep the others. */
export async function inOrder<Lead>(
  leads: readonly Lead[],
  submit: (lead: Lead, place: number) => Promise<Submission>,
  { concurrency = concurrencyDefault, onProgress }: BatchOptions<Lead>,
): Promise<BatchResult[]> {
  const results = new Array<BatchResult>(leads.length);
  const counts = { accepted: 0, rejected: 0, failed: 0 };
  const places = leads.entries();
  let done = 0;
  const work = async () => {
    // All workers draw from the same iterator, so each lead is drawn once.
    for (const [place, lead] of places) {
      const result = await settled(() => submit(lead, place));
      results[place] = result;
      counts[result.status]++;
      onProgress?.({ done: ++done, total: leads.length, ...counts });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, leads.length) }, work));
  return results;
}

async function settled(submit: () => Promise<Submission>): Promise<BatchResult> {
  try {
    return await submit();
  } catch (error) {
    return { status: 'failed', error };
  }
}
