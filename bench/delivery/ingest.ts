import { mediansOf, type Setup } from '../alternate/compare.ts';
import { cpuOf, memoryOf } from '../cpu.ts';
import { startService } from '../targets/targets.ts';
import { Sink } from './sink.ts';
import { createDestination, type Row } from './stage.ts';

const destinationsPerWorkspace = 3;
const connections = 64;
const callsAtOnce = 8;
const goal = 0.95;

/** Each workspace has three destinations, or none. Started again for each, so that no backlog of one slows down the other. */
export async function measureIngest(isQuick: boolean): Promise<Row> {
  const sink = await Sink.start();
  const setups = [setupOf(sink, 0), setupOf(sink, destinationsPerWorkspace)];
  const rounds = isQuick ? { rounds: 1, seconds: 3 } : { rounds: 5, seconds: 8 };
  const row = {
    figure: `leads/s with ${destinationsPerWorkspace} destinations per workspace ÷ without`,
    goal: `>= ${goal}`,
  };
  const medians = await mediansOf(setups, rounds).catch((error: Error) => error);
  await sink.stop();
  // Requests that failed, or took too long.
  if (medians instanceof Error) return { ...row, measured: medians.message, isGood: false };
  const [without, beside] = medians;
  const ratio = (beside?.rate ?? 0) / (without?.rate ?? 1);
  return {
    ...row,
    measured: `${ratio.toFixed(3)} (${beside?.rate.toFixed(0)} ÷ ${without?.rate.toFixed(0)})`,
    isGood: ratio >= goal,
  };
}

function setupOf(sink: Sink, destinations: number): Setup {
  return {
    name: `${destinations} destinations`,
    connections,
    async start(scratchDir) {
      const { pid, workspaces, ...target } = await startService(scratchDir, {
        env: { DELIVER_ALLOW: '127.0.0.1' },
      });
      const left = workspaces.flatMap((workspace, number) =>
        Array.from({ length: destinations }, (_, each) => ({ workspace, path: `/ingest/${number}/${each}` })),
      );
      const createAll = async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop())
          await createDestination({ port: target.port, sink }, next.workspace, next.path);
      };
      await Promise.all(Array.from({ length: callsAtOnce }, createAll));
      return { ...target, cpu: () => cpuOf(pid), memory: () => memoryOf([pid]) };
    },
  };
}
