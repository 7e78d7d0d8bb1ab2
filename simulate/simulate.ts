import { findBrokenBuilds } from './find-broken.ts';
import { type Options, readOptions } from './options.ts';
import { runSeed } from './run.ts';
import { runSeeds } from './seeds.ts';
import { shrink } from './shrink.ts';

/**
 * npm run simulate -- --seeds=N    runs N seeds and prints a hash of everything that happened
 * npm run simulate -- --seed=K     runs one seed and prints everything that happened
 * npm run simulate -- --broken     runs the builds that are broken on purpose, until each is found
 */
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(options: Options): Promise<boolean> {
  if (options.isBroken) return findBrokenBuilds(options.seeds, say);
  if (options.seed !== null) return tell(options.seed);
  const startedAt = performance.now();
  const { seeds, accepted, hash, broken } = await runSeeds(options, (done) => {
    if (done % 1_000 === 0) say(`${done} seeds`);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`${seeds} seeds, ${accepted} leads answered with 202, ${seconds.toFixed(1)} s, hash ${hash}`);
  if (broken === null) return true;
  say(`Seed ${broken.seed} breaks a promise:`);
  for (const finding of broken.findings) say(`  ${finding}`);
  if (!options.isShrinking) return false;
  const shortest = await shrink(await runSeed(broken.seed));
  say(`The shortest history with the same finding has ${shortest.plan.acts.length} acts:`);
  for (const line of shortest.trace) say(`  ${line}`);
  for (const { kind, text } of shortest.findings) say(`  ${kind}: ${text}`);
  return false;
}

async function tell(seed: number): Promise<boolean> {
  const { trace, findings, hash } = await runSeed(seed, true);
  for (const line of trace) say(line);
  for (const { kind, text } of findings) say(`${kind}: ${text}`);
  say(`hash ${hash}`);
  return findings.length === 0;
}

process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
