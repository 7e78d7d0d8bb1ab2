import { type Sent, sendLeads } from './senders.ts';
import type { Arrival } from './sink.ts';
import { createDestination, createWorkspaces, p95, type Row, type Stage, untilIdle } from './stage.ts';

const workspaceCount = 20;
const perSecond = 100;
const goalMs = 2_000;

/** From sending a lead, which is before its commit, to the arrival of its first attempt. */
export async function measureFirstAttempt(stage: Stage): Promise<Row> {
  const workspaces = await createWorkspaces(stage, 'first', workspaceCount);
  for (const [number, workspace] of workspaces.entries())
    await createDestination(stage, workspace, `/first/${number}`);
  const tokens = workspaces.map(({ token }) => token);
  const sent = await sendLeads({ port: stage.port, tokens, perSecond, seconds: stage.isQuick ? 8 : 30 });
  await untilIdle(stage);
  const delays = delaysOf(sent, await stage.sink.take());
  const measured = p95(delays);
  return {
    figure: `commit to first attempt, ${perSecond} leads/s, p95`,
    measured: `${measured.toFixed(0)} ms of ${delays.length}`,
    goal: `<= ${goalMs} ms`,
    isGood: measured <= goalMs && delays.length === sent.length,
  };
}

/** Only of what has arrived; the first time counts. */
export function delaysOf(sent: readonly Sent[], arrivals: readonly Arrival[]): number[] {
  const sentAt = new Map(sent.map((lead) => [lead.submissionId, lead.sentAt]));
  const seen = new Set<string>();
  return arrivals.flatMap(([path, submissionId, , at]) => {
    const from = sentAt.get(submissionId);
    const key = `${path} ${submissionId}`;
    if (from === undefined || seen.has(key)) return [];
    seen.add(key);
    return [at - from];
  });
}
