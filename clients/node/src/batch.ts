import type { Submission } from './result.ts';

/** A lead of a batch without a result: the service did not respond, or the lead is invalid. */
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
  /** How many leads are sent at the same time. Default: 8. */
  readonly concurrency?: number;
  /** Returns the idempotency key of a lead, so that a batch can be sent again without duplicates. Default: a random key. */
  readonly keyOf?: (lead: Lead, place: number) => string;
  readonly onProgress?: (progress: BatchProgress) => void;
  /** Cancels the batch: leads without a result fail with the reason of the signal. */
  readonly signal?: AbortSignal;
}

const concurrencyDefault = 8;

/** Returns the results in the order of the leads. A lead that fails does not stop the others. */
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
    // All workers share one iterator, so each lead is sent once.
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
