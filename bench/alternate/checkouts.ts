import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuOf, memoryOf } from '../cpu.ts';
import { startService } from '../targets/targets.ts';
import { runAndUndo } from '../undo.ts';
import { compare, type Setup } from './compare.ts';

/** Compares the service as it is in several checkouts, to prove that a change makes leads cheaper. */
function setupOf(checkout: string, connections: number): Setup {
  return {
    name: checkout,
    connections,
    async start(scratchDir) {
      const { pid, ...target } = await startService(scratchDir, { checkout: resolve(checkout) });
      return { ...target, cpu: () => cpuOf(pid), memory: () => memoryOf([pid]) };
    },
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '256' },
  },
});
const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number) as [
  number,
  number,
  number,
];
if (positionals.length >= 2 && [rounds, seconds, connections].every((count) => count >= 1)) {
  const setups = positionals.map((checkout) => setupOf(checkout, connections));
  process.exitCode = await runAndUndo(() => compare(setups, { rounds, seconds }));
} else {
  process.stderr.write(
    'npm run bench:checkouts -- <folder> <folder> [--rounds=5] [--seconds=8] [--connections=256]\n',
  );
  process.exitCode = 2;
}
