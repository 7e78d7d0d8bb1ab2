import { parseArgs } from 'node:util';
import { cpuOf, memoryOf, nodeChildrenOf } from '../cpu.ts';
import { startService } from '../targets/targets.ts';
import { runAndUndo } from '../undo.ts';
import { compare, type Setup } from './compare.ts';

/** Compares numbers of workers. */
function setupOf(workers: number, connections: number): Setup {
  return {
    name: `${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    connections,
    async start(scratchDir) {
      const { pid, ...target } = await startService(scratchDir, { env: { WORKERS: String(workers) } });
      return {
        ...target,
        cpu: () => cpuOf(pid),
        memory: () => memoryOf(workers === 1 ? [pid] : [pid, ...nodeChildrenOf(pid)]),
      };
    },
  };
}

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '256' },
  },
});
const counts = values.workers.split(',').map(Number);
const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number) as [
  number,
  number,
  number,
];
if ([...counts, rounds, seconds, connections].every((count) => count >= 1)) {
  const setups = counts.map((workers) => setupOf(workers, connections));
  process.exitCode = await runAndUndo(() => compare(setups, { rounds, seconds }));
} else {
  process.stderr.write(
    'npm run bench:workers -- [--workers=1,2] [--rounds=5] [--seconds=8] [--connections=256]\n',
  );
  process.exitCode = 2;
}
