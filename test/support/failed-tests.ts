import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export interface FailedFile {
  readonly file: string;
  readonly tests: readonly string[];
}

/** What `npm run test:repeat` needs to know of the last run. */
export interface FailedTests {
  readonly files: readonly FailedFile[];
  /** Errors that belong to no file, so that repeating one says nothing about them. */
  readonly strayErrors: number;
}

/** Relative to the folder that the tests were started in. */
export const failedTestsFile = 'test-results/failed.json';

/** Notes which files failed. There is no note of a run that did not end. */
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
  // A hook, an import or an error that nobody caught leaves no failed test.
  return { file: module.relativeModuleId, tests: tests.length > 0 ? tests : ['(outside its tests)'] };
}

/** Vitest notes on an error that no test caught which file was running. */
function fileOf(error: object): string {
  return 'VITEST_TEST_PATH' in error ? String(error.VITEST_TEST_PATH) : '';
}
