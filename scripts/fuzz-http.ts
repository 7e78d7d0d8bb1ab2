import { parseArgs } from 'node:util';
import { compareReaders } from '../test/support/http/plain/compare.ts';

/** Compares our reader of plain requests with Node's, on many random conversations. */
const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
const step = 50_000;
let plain = 0;
for (let done = 0; done < cases && process.exitCode === undefined; done += step) {
  const part = await compareReaders(seed + done, Math.min(step, cases - done));
  plain += part.plain;
  process.stdout.write(`${done + part.cases} conversations, ${plain} plain requests\n`);
  for (const difference of part.differences) process.stdout.write(`\n${difference}\n`);
  if (part.differences.length > 0) process.exitCode = 1;
}
