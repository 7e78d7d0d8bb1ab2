import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts', 'test/support/builds.ts'],
    setupFiles: ['test/support/properties.ts'],
    testTimeout: 30_000,
    // Databases are made and dropped in hooks, which waits for the disk when others write to it.
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
