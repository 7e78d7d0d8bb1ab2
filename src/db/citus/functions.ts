import { sql } from 'kysely';
import type pg from 'pg';
import { rowsOf, run } from '../sql.ts';
import { bucketsTable } from './hot-tables.ts';

/** Called on the coordinator, these run on the node that has the shard of their first parameter. */
const delegated = ['ingest_commit_on_node', 'store_spooled_on_node', 'probe_node'];

/** Only those that are not delegated yet, because a start of the service needs no node otherwise. */
export async function delegateFunctions(client: pg.ClientBase): Promise<void> {
  await run(
    client,
    sql`select create_distributed_function(f.oid::regprocedure, 'p_shard', colocate_with => ${bucketsTable})
      from pg_proc f
      where f.pronamespace = current_schema()::regnamespace and f.proname = any (${delegated}::text[])
        and not exists (select from pg_dist_object o
          where (o.classid, o.objid) = ('pg_proc'::regclass, f.oid) and o.distribution_argument_index is not null)`,
  );
}

/**
 * Copies our functions to all nodes, and later to nodes that are added. Citus does this by itself for functions that are
 * created or replaced while it is installed, so those from before are replaced by themselves.
 */
export async function distributeFunctions(client: pg.ClientBase): Promise<void> {
  const functions = await rowsOf(
    client,
    sql<{ definition: string }>`select pg_get_functiondef(f.oid) as definition from pg_proc f
      where f.pronamespace = current_schema()::regnamespace and f.prokind = 'f'
        and not exists (select from pg_depend d
          where (d.classid, d.objid, d.deptype) = ('pg_proc'::regclass, f.oid, 'e'))
        and not exists (select from pg_dist_object o
          where (o.classid, o.objid) = ('pg_proc'::regclass, f.oid))
      order by f.oid`,
  );
  for (const { definition } of functions) await run(client, sql.raw(definition));
}
