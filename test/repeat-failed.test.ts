import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** `.ci/run` as it is, on a small project with the reporter and the script that repeats, and tests that are made to fail. */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'leadgate-repeat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = `export default { test: { reporters: ['default', './test/support/failed-tests.ts'] } };`;
const passing = `import { test } from 'vitest'; test('passes', () => {});`;
/** Fails where its mark is missing, and leaves it. */
const racing = `
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
test('passes the second time', () => {
  const isSecond = existsSync('mark');
  writeFileSync('mark', '');
  expect(isSecond).toBe(true);
});`;
const failing = `import { expect, test } from 'vitest'; test('never passes', () => expect(1).toBe(2));`;
const rejecting = `
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
test('leaves an error behind', () => {
  if (!existsSync('mark')) void Promise.reject(new Error('nobody caught this'));
  writeFileSync('mark', '');
});`;

function ciRun(name: string, tests: Record<string, string>): { code: number | null; output: string } {
  const project = join(folder, name);
  mkdirSync(join(project, 'test/support'), { recursive: true });
  mkdirSync(join(project, 'scripts'));
  mkdirSync(join(project, '.ci'));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  for (const file of ['test/support/failed-tests.ts', 'scripts/repeat-failed.ts'])
    cpSync(join(root, file), join(project, file));
  // The rest of the script is as it is; what installs and what lints has nothing to do here.
  const script = readFileSync(join(root, '.ci/run'), 'utf8')
    .replace('npm ci\n', '')
    .replace('npm run check:code\n', '');
  writeFileSync(join(project, '.ci/run'), script);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = { type: 'module', scripts: { test: scripts.test, 'test:repeat': scripts['test:repeat'] } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(own));
  writeFileSync(join(project, 'vitest.config.ts'), config);
  for (const [file, text] of Object.entries(tests)) writeFileSync(join(project, 'test', file), text);
  const { status, stdout, stderr } = spawnSync('bash', ['.ci/run'], { cwd: project, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

test('a file that fails and passes when repeated alone is named, and the run is green', () => {
  const { code, output } = ciRun('racing', { 'racing.test.ts': racing, 'passing.test.ts': passing });
  expect(output).toContain('FLAKY test/racing.test.ts: passes the second time\n');
  expect(output).not.toContain('FLAKY test/passing.test.ts');
  expect(code).toBe(0);
});

test('a file that fails twice fails the run, whatever else passes when repeated', () => {
  const { code, output } = ciRun('failing', { 'failing.test.ts': failing, 'racing.test.ts': racing });
  expect(output).toContain('FAILED TWICE test/failing.test.ts\n');
  expect(output).toContain('FLAKY test/racing.test.ts: passes the second time\n');
  expect(code).not.toBe(0);
});

test('an error that no test caught makes its file repeat', () => {
  const { code, output } = ciRun('rejecting', { 'rejecting.test.ts': rejecting });
  expect(output).toContain('FLAKY test/rejecting.test.ts: (outside its tests)\n');
  expect(code).toBe(0);
});

test('a run that did not start is not repeated and fails', () => {
  const { code, output } = ciRun('empty', {});
  expect(output).not.toContain('FLAKY');
  expect(code).not.toBe(0);
});
