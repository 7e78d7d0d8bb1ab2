import { createClient } from '../../../src/db/hosts/clients.ts';
import { queryAndRelease } from '../../../src/db/ingest/released-query.ts';

/** Runs queries with large values, one after another, and prints how much memory buffers took at most, in megabytes. */
const [databaseUrl = ''] = process.argv.slice(2);
const client = createClient({ databaseUrl, query_timeout: 10_000 });
await client.connect();
const statement = { name: 'length', text: 'select length($1::bytea)', rowMode: 'array' as const };
let megabytesMax = 0;
for (let number = 0; number < 2_000; number++) {
  await queryAndRelease(client, statement, [Buffer.allocUnsafe(20_000)]);
  // Young objects, which make V8 collect the young ones.
  Array.from({ length: 10_000 }, () => [number]);
  megabytesMax = Math.max(megabytesMax, process.memoryUsage().arrayBuffers / 1_000_000);
}
await client.end();
process.stdout.write(`${Math.ceil(megabytesMax)}\n`);
