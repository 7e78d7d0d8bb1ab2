import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Needs a cluster: npm run test:citus.
    exclude: [...configDefaults.exclude, 'test/citus/**'],
    globalSetup: ['test/support/database/postgres.ts', 'test/support/browser/builds.ts'],
    reporters: ['default', './test/support/failed-tests.ts'],
    setupFiles: ['test/support/properties.ts'],
    // Limits for what hangs, not for what is slow: each is far from what its step takes on a quiet machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // PostgreSQL is stopped at the end, which waits for the disk when others write to it.
    teardownTimeout: 120_000,
    // A file finds the modules of the files before it loaded, which is most of what a short one takes. No test may
    // depend on the first evaluation of a module.
    isolate: false,
    // A browser on a busy machine takes its time; nothing depends on how long.
    expect: { poll: { timeout: 60_000 } },
    // Two more than two cores: many tests wait for a disk, a browser or a process to start.
    maxWorkers: 4,
  },
});
