import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export interface FailedFile {
  readonly file: string;
  readonly tests: readonly string[];
}

/** The failures of the last run, for `npm run test:repeat`. */
export interface FailedTests {
  readonly files: readonly FailedFile[];
  /** Errors that belong to no file, so that running a file again does not help. */
  readonly strayErrors: number;
}

/** Relative to the working directory of the run. */
export const failedTestsFile = 'test-results/failed.json';

/** Records which files failed. An interrupted run leaves no record. */
export default class FailedTestsReporter implements Reporter {
  readonly #path = join(process.cwd(), failedTestsFile);

  onInit(): void {
    rmSync(this.#path, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly object[], reason: string): void {
    if (reason === 'interrupted') return;
    const causes = new Set(errors.map(fileOf));
    const files = modules.filter((module) => !module.ok() || causes.has(module.moduleId)).map(failedFile);
    const known = new Set(modules.map(({ moduleId }) => moduleId));
    const strayErrors = errors.filter((error) => !known.has(fileOf(error))).length;
    const note: FailedTests = { files, strayErrors };
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(note, null, 2));
  }
}

function failedFile(module: TestModule): FailedFile {
  const tests = [...module.children.allTests('failed')].map(({ fullName }) => fullName);
  // A failed hook, a failed import or an uncaught error leaves no failed test.
  return { file: module.relativeModuleId, tests: tests.length > 0 ? tests : ['(outside its tests)'] };
}

/** Vitest adds the running file to errors that no test caught. */
function fileOf(error: object): string {
  return 'VITEST_TEST_PATH' in error ? String(error.VITEST_TEST_PATH) : '';
}
