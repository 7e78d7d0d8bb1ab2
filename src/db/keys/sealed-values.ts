import { hash } from 'node:crypto';
import { headerSecretOwner, signingSecretOwner } from '../../domain/enrichment/provider-secrets.ts';
import { rejectionOwner } from '../../domain/rejected-request.ts';
import { idRootOwner } from '../../domain/secrets/id-root.ts';
import type { Queryable } from '../pool.ts';

/** A column of sealed values. A new one is a row of the table below: `leadgate rekey` works through all of them. */
export interface SealedColumn {
  readonly what: string;
  readonly table: string;
  readonly column: string;
  /** The primary key, in its order, with the types of its parts. */
  readonly key: readonly (readonly [name: string, type: string])[];
  /** What the value of a row is bound to. */
  readonly ownerOf: (key: readonly string[]) => string;
}

const ofWorkspace = [['workspace_id', 'uuid']] as const;
const ofForm = [['form_id', 'uuid']] as const;
const ofRejection = [
  ['shard', 'smallint'],
  ['workspace_id', 'uuid'],
  ['rejection_id', 'uuid'],
] as const;
const last = (key: readonly string[]) => key.at(-1) as string;

export const sealedColumns: readonly SealedColumn[] = [
  {
    what: 'root of submission ids',
    table: 'id_root',
    column: 'sealed',
    key: [['singleton', 'boolean']],
    ownerOf: () => idRootOwner,
  },
  {
    what: 'webhook secrets',
    table: 'webhook_secrets',
    column: 'current_ciphertext',
    key: ofForm,
    ownerOf: last,
  },
  {
    what: 'former webhook secrets',
    table: 'webhook_secrets',
    column: 'previous_ciphertext',
    key: ofForm,
    ownerOf: last,
  },
  {
    what: 'signing secrets of enrichment providers',
    table: 'enrichment_providers',
    column: 'signing_ciphertext',
    key: ofWorkspace,
    ownerOf: (key) => signingSecretOwner(last(key)),
  },
  {
    what: 'headers of enrichment providers',
    table: 'enrichment_providers',
    column: 'header_ciphertext',
    key: ofWorkspace,
    ownerOf: (key) => headerSecretOwner(last(key)),
  },
  {
    what: 'kept rejected requests',
    table: 'rejected_requests',
    column: 'sealed',
    key: ofRejection,
    ownerOf: (key) => rejectionOwner(last(key)),
  },
];

export interface SealedCount {
  /** Null for values that carry no id, as version 0.1.0 wrote them. */
  readonly keyId: string | null;
  readonly count: number;
}

/** How many values there are by the key that they say they were sealed with. Nothing is opened. */
export async function countSealed(db: Queryable, { table, column }: SealedColumn): Promise<SealedCount[]> {
  const { rows } = await db.query(
    `select case when substring(${column} from 1 for 1) = '\\x02'
         then encode(substring(${column} from 2 for 4), 'hex') end as "keyId",
       count(*) as count
     from ${table} where ${column} is not null group by 1 order by 1 nulls first`,
  );
  return rows;
}

export interface SealedValue {
  readonly key: readonly string[];
  readonly sealed: Buffer;
}

/** Any of them, to try keys on. */
export async function sampleSealed(
  db: Queryable,
  { table, column, key }: SealedColumn,
  countMax: number,
): Promise<SealedValue[]> {
  const { rows } = await db.query(
    `select array[${key.map(([name]) => `${name}::text`).join(', ')}] as key, ${column} as sealed
     from ${table} where ${column} is not null limit $1`,
    [countMax],
  );
  return rows;
}

/** The next values that do not begin with `head`, in the order of their keys. */
export async function listSealedOtherwise(
  db: Queryable,
  { table, column, key }: SealedColumn,
  head: Buffer,
  after: readonly string[] | null,
  countMax: number,
): Promise<SealedValue[]> {
  const names = key.map(([name]) => name).join(', ');
  const places = key.map(([, type], place) => `$${place + 3}::${type}`).join(', ');
  const { rows } = await db.query(
    `select array[${key.map(([name]) => `${name}::text`).join(', ')}] as key, ${column} as sealed
     from ${table}
     where ${column} is not null and substring(${column} from 1 for length($1::bytea)) <> $1::bytea
       ${after === null ? '' : `and (${names}) > (${places})`}
     order by ${names} limit $2`,
    [head, countMax, ...(after ?? [])],
  );
  return rows;
}

export interface ResealedValue extends SealedValue {
  /** What was there: a value that was changed meanwhile stays as it is now. */
  readonly before: Buffer;
}

/** Answers how many were replaced. The revisions of rows stay: what is sealed in them is the same. */
export async function replaceSealed(
  db: Queryable,
  { table, column, key }: SealedColumn,
  values: readonly ResealedValue[],
): Promise<number> {
  const parts = key.map(([, type], place) => `$${place + 3}::${type}[]`).join(', ');
  const names = key.map(([name]) => name);
  const { rowCount } = await db.query(
    `update ${table} t set ${column} = v.sealed
     from unnest($1::bytea[], $2::bytea[], ${parts}) as v (sealed, before, ${names.join(', ')})
     where ${names.map((name) => `t.${name} = v.${name}`).join(' and ')} and sha256(t.${column}) = v.before`,
    [
      values.map(({ sealed }) => sealed),
      values.map(({ before }) => hash('sha256', before, 'buffer')),
      ...key.map((_, place) => values.map((value) => value.key[place])),
    ],
  );
  return rowCount ?? 0;
}
