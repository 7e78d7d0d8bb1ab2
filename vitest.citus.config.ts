import { defineConfig } from 'vitest/config';
import plain from './vitest.config.ts';

/** What cannot run on a cluster, or would test the same there as on one server, and why. */
const excluded = [
  // Builds an earlier schema, and the migrations of a cluster start with the present one.
  'test/manage/quarantine-migration.test.ts',
  'test/manage/forms/former-slugs-migration.test.ts',
  'test/keys/upgrade.test.ts',
  // Read the plans of one PostgreSQL server.
  'test/manage/leads/leads-plans.test.ts',
  'test/manage/destinations/delivery-plans.test.ts',
  'test/relay/outbox.test.ts',
  // Stores spooled leads with the function of one server.
  'test/manage/held/retries.test.ts',
  // Start the service with the PostgreSQL that it brings.
  'test/browser/mint-workers.test.ts',
  'test/keys/rekey.test.ts',
  'test/keys/key-files.test.ts',
];

/** `npm run test:citus`: the tests that read and write leads, on a real Citus cluster. */
export default defineConfig({
  test: {
    ...plain.test,
    include: [
      'citus',
      'ingest',
      'browser',
      'manage',
      'relay',
      'enrich',
      'deliver',
      'keys',
      'alarms/rules',
    ].map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: excluded,
    globalSetup: ['test/support/database/citus.ts', 'test/support/browser/builds.ts'],
  },
});
