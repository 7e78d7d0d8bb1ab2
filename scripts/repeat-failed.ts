import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type FailedTests, failedTestsFile } from '../test/support/failed-tests.ts';

/**
 * Runs each test file that failed in the last run once more, on its own. Succeeds if all of them pass now, and lists the
 * tests that failed the first time as flaky: fix those before anything else.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);

const failed = readNote();
if (failed === null) stop('The last test run did not finish, so there is nothing to repeat.');
if (failed.strayErrors > 0) stop('The last test run had errors outside of any test file.');
if (failed.files.length === 0) stop('The run failed, but no test file did: see its output.');

const stillFailing = failed.files.filter(({ file }) => !passesAlone(file));
for (const { file, tests } of failed.files.filter((one) => !stillFailing.includes(one)))
  for (const test of tests) say(`FLAKY ${file}: ${test}`);
for (const { file } of stillFailing) say(`FAILED TWICE ${file}`);
process.exitCode = stillFailing.length === 0 ? 0 : 1;

function passesAlone(file: string): boolean {
  say(`Repeating ${file} on its own.`);
  return spawnSync('npx', ['vitest', 'run', file], { stdio: 'inherit' }).status === 0;
}

function readNote(): FailedTests | null {
  try {
    return JSON.parse(readFileSync(failedTestsFile, 'utf8'));
  } catch {
    return null;
  }
}

function stop(reason: string): never {
  say(reason);
  process.exit(1);
}
