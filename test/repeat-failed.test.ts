import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scratchFolder } from './support/scratch.ts';

/** The real `.ci/run` on a small project with the reporter, the retry script, and tests that fail on purpose. */
const root = join(import.meta.dirname, '..');
const folder = scratchFolder('repeat');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// One worker is enough for files this small.
const config = `export default { test: { maxWorkers: 1, reporters: ['default', './test/support/failed-tests.ts'] } };`;
const passing = `import { test } from 'vitest'; test('passes', () => {});`;
/** Fails if its marker is missing, and creates it. */
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
  if (!existsSync('other-mark')) void Promise.reject(new Error('nobody caught this'));
  writeFileSync('other-mark', '');
});`;

async function ciRun(
  name: string,
  tests: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const project = join(folder, name);
  mkdirSync(join(project, 'test/support'), { recursive: true });
  mkdirSync(join(project, 'scripts'));
  mkdirSync(join(project, '.ci'));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  for (const file of ['test/support/failed-tests.ts', 'scripts/repeat-failed.ts'])
    cpSync(join(root, file), join(project, file));
  // The rest of the script is unchanged. Installing and linting are left out.
  const script = readFileSync(join(root, '.ci/run'), 'utf8')
    .replace('npm ci\n', '')
    .replace('npm run check:code\n', '');
  writeFileSync(join(project, '.ci/run'), script);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = { type: 'module', scripts: { test: scripts.test, 'test:repeat': scripts['test:repeat'] } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(own));
  writeFileSync(join(project, 'vitest.config.ts'), config);
  for (const [file, text] of Object.entries(tests)) writeFileSync(join(project, 'test', file), text);
  const child = spawn('bash', ['.ci/run'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

test('a file that fails, or leaves an error that no test caught, and passes when repeated alone is named, and the run is green', async () => {
  const { code, output } = await ciRun('racing', {
    'racing.test.ts': racing,
    'rejecting.test.ts': rejecting,
    'passing.test.ts': passing,
  });
  expect(output).toContain('FLAKY test/racing.test.ts: passes the second time\n');
  expect(output).toContain('FLAKY test/rejecting.test.ts: (outside its tests)\n');
  expect(output).not.toContain('FLAKY test/passing.test.ts');
  expect(code).toBe(0);
});

test('a file that fails twice fails the run, whatever else passes when repeated', async () => {
  const { code, output } = await ciRun('failing', { 'failing.test.ts': failing, 'racing.test.ts': racing });
  expect(output).toContain('FAILED TWICE test/failing.test.ts\n');
  expect(output).toContain('FLAKY test/racing.test.ts: passes the second time\n');
  expect(code).not.toBe(0);
});

test('a run that did not start is not repeated and fails', async () => {
  const { code, output } = await ciRun('empty', {});
  expect(output).not.toContain('FLAKY');
  expect(code).not.toBe(0);
});
