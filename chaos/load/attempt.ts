import { Agent, request } from 'node:http';
import { headersOf, type Lead, pathOf } from './lead.ts';
import type { Attempt, OutcomeKind } from './order.ts';

const answerMsMax = 10_000;
// Generous: after the faults have ended, a missing response is an error, which must not depend on speed.
const calmAnswerMsMax = 120_000;
const agent = new Agent({ keepAlive: true });

type Ending = Pick<Attempt, 'outcome' | 'status' | 'answer' | 'fault'>;

export interface Manner {
  readonly isConfirmation: boolean;
  /** On its own connection. */
  readonly isFresh: boolean;
}

/** Sends a lead once. Never throws: every outcome is a line in the ledger. */
export async function attempt(lead: Lead, port: number, manner: Manner): Promise<Attempt> {
  const { isConfirmation } = manner;
  const sentAt = Date.now();
  const startedAt = performance.now();
  const ending = await send(lead, port, manner);
  return {
    lead: lead.number,
    key: lead.key,
    bodySha256: lead.bodySha256,
    workspaceId: lead.sender.workspaceId,
    surface: lead.surface,
    isValid: lead.isValid,
    isConfirmation,
    port,
    sentAt,
    endedAt: Date.now(),
    latencyMs: performance.now() - startedAt,
    ...ending,
  };
}

function send(lead: Lead, port: number, { isConfirmation, isFresh }: Manner): Promise<Ending> {
  const msMax = isConfirmation ? calmAnswerMsMax : answerMsMax;
  const options = { host: '127.0.0.1', port, path: pathOf(lead), method: 'POST', headers: headersOf(lead) };
  return new Promise((resolve) => {
    const none = (fault: string) => resolve({ outcome: 'none', status: null, answer: null, fault });
    const outgoing = request({ ...options, agent: isFresh ? false : agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => none(error.message));
      response.on('end', () => {
        clearTimeout(timer);
        const status = response.statusCode ?? 0;
        const body = Buffer.concat(chunks).toString('latin1');
        const answer = `${response.headers['content-type']} ${body}`;
        resolve({ outcome: kindOf(status), status, answer, fault: null });
      });
    });
    // Limits the whole request, not pauses in it.
    const timer = setTimeout(() => outgoing.destroy(new Error('no response in time')), msMax);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      none(error.message);
    });
    outgoing.end(lead.body);
  });
}

function kindOf(status: number): OutcomeKind {
  return status === 202 ? '202' : status === 200 ? '200' : 'other';
}
