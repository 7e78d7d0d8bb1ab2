import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { parseLead } from '../../domain/lead/lead.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import type { LeadPrint, Sightings } from '../../domain/score/repeat-memory.ts';
import { createScorer } from '../../domain/score/scorer.ts';
import type { CompiledScoring } from '../../domain/score/settings/compile.ts';
import { type FormReference, sightingPlaces, type ThreadMessage, type ThreadRequest } from './messages.ts';

const shared = workerData as Int32Array;
const scorer = createScorer(loadScoringData());
const forms = new Map<number, CompiledScoring>();
/** The main thread answers within one turn of its event loop. */
const answerMsMax = 10_000;

// Leads on the main thread come first. Not the lowest priority, because the drain waits for this thread too and it would
// never run on a busy machine. Only Linux sets the priority per thread; elsewhere it would apply to the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', (request: ThreadRequest) => {
  const message = read(request);
  const isMade = message.kind === 'lead' && message.projection !== null;
  tell(message, isMade ? [message.projection.buffer as ArrayBuffer] : []);
});

function read({ body, now, page, form }: ThreadRequest): ThreadMessage {
  const lead = parseLead(Buffer.from(body.buffer));
  if (typeof lead === 'string') return { kind: 'unstorable', reason: lead };
  const scored = form === null ? { score: null, error: null } : scoreOf(lead.fields, form, { now, page });
  const isBody = lead.projection.buffer === body.buffer;
  // A copy, because small buffers share their memory with others and cannot be transferred.
  return { kind: 'lead', projection: isBody ? null : new Uint8Array(lead.projection), ...scored };
}

function scoreOf(
  fields: Record<string, unknown>,
  { number, settings, isFirst }: FormReference,
  context: Pick<ThreadRequest, 'now' | 'page'>,
): Pick<Extract<ThreadMessage, { kind: 'lead' }>, 'score' | 'error'> {
  if (isFirst) forms.clear();
  if (settings !== null) forms.set(number, settings);
  try {
    const compiled = forms.get(number) as CompiledScoring;
    return { score: scorer.score(fields, compiled, { ...context, see }), error: null };
  } catch (error) {
    return { score: null, error: String((error as Error).stack) };
  }
}

/** Only the main thread knows all earlier leads, because it scores the light ones itself. */
function see(print: LeadPrint): Sightings {
  Atomics.store(shared, sightingPlaces.isThere, 0);
  tell({ kind: 'see', print });
  if (Atomics.wait(shared, sightingPlaces.isThere, 0, answerMsMax) === 'timed-out')
    throw new Error('the main thread did not send the sightings in time');
  const at = (place: keyof typeof sightingPlaces) => shared[sightingPlaces[place]] as number;
  return {
    sameBody: at('sameBody'),
    sameText: at('sameText'),
    nearText: at('nearText'),
    likeText: at('likeText'),
    ownText: at('ownText'),
    sameEmail: at('sameEmail'),
    sameNetwork: at('sameNetwork'),
    // The main thread does that.
    forget: () => {},
  };
}

function tell(message: ThreadMessage, given: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, given);
}
