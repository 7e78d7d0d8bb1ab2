import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../seed.ts';
import { delaysOf } from './first-attempt.ts';
import { sendLeads } from './senders.ts';
import { hangingPath } from './sink.ts';
import { createDestination, createWorkspaces, p95, type Row, type Stage, untilIdle } from './stage.ts';

const healthyCount = 9;
const perSecond = 15;
const goal = 1.1;
/** Requests without a response end after 15 s. */
const endMs = 16_000;

/** Nine destinations, in turns with and without a tenth that accepts connections and never responds. */
export async function measureNeighbours(stage: Stage): Promise<Row> {
  const { port, sink } = stage;
  const [workspace] = await createWorkspaces(stage, 'neighbours', 1);
  if (workspace === undefined) throw new Error('No workspace');
  for (let each = 0; each < healthyCount; each++)
    await createDestination(stage, workspace, `/healthy/${each}`);
  const dead = await createDestination(stage, workspace, hangingPath);
  const tell = (what: 'pause' | 'resume') =>
    callApi(port, 'POST', `/workspaces/${workspace.workspaceId}/destinations/${dead}/${what}`, {});
  const slice = async () => {
    const seconds = stage.isQuick ? 6 : 15;
    const sent = await sendLeads({ port, tokens: [workspace.token], perSecond, seconds });
    await untilIdle(stage, dead);
    return delaysOf(
      sent,
      (await sink.take()).filter(([path]) => path !== hangingPath),
    );
  };
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < (stage.isQuick ? 1 : 4); turn++) {
    await tell('pause');
    if (turn > 0) await sleep(endMs);
    alone.push(...(await slice()));
    await tell('resume');
    beside.push(...(await slice()));
  }
  await callApi(port, 'DELETE', `/workspaces/${workspace.workspaceId}/destinations/${dead}`, {});
  const ratio = p95(beside) / p95(alone);
  return {
    figure: 'nine healthy destinations beside a dead one, p95 ÷ without it',
    measured: `${ratio.toFixed(2)} (${p95(beside).toFixed(0)} ÷ ${p95(alone).toFixed(0)} ms)`,
    goal: `<= ${goal}`,
    isGood: ratio <= goal,
  };
}
