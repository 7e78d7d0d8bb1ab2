import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { captchaSecretOwner, mintSecretOwner } from '../../domain/browser/secrets.ts';
import {
  destinationHeadersOwner,
  destinationSecretOwner,
  responseHeadOwner,
} from '../../domain/destination/secrets.ts';
import { headerSecretOwner, signingSecretOwner } from '../../domain/enrichment/provider-secrets.ts';
import { heldOwner } from '../../domain/held/held-request.ts';
import { idRootOwner } from '../../domain/secrets/id-root.ts';
import type { Owner } from '../../domain/secrets/secret-box.ts';
import type { Queryable } from '../pool.ts';
import { allOf, changedBy, rowsOf } from '../sql.ts';

/** A column of encrypted values. Add each new one to the list below, which `leadgate rekey` works through. */
export interface SealedColumn {
  readonly what: string;
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key in order, with their types. */
  readonly key: readonly (readonly [name: string, type: string])[];
  /** The owner that the value of a row is bound to. */
  readonly ownerOf: (key: readonly string[], sealed: Buffer) => Owner;
  /** How many are encrypted again in one step; fewer if they are large. */
  readonly rowsPerStep: number;
}

const ofWorkspace = [['workspace_id', 'uuid']] as const;
const ofForm = [['form_id', 'uuid']] as const;
const ofHeld = [
  ['shard', 'smallint'],
  ['workspace_id', 'uuid'],
  ['id', 'uuid'],
] as const;
const ofDestination = [['id', 'uuid']] as const;
const ofAttempt = [
  ['shard', 'smallint'],
  ['workspace_id', 'uuid'],
  ['delivery_id', 'uuid'],
  ['n', 'smallint'],
] as const;
const last = (key: readonly string[]) => key.at(-1) as string;

const columns: readonly (Omit<SealedColumn, 'rowsPerStep'> & Partial<SealedColumn>)[] = [
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
    what: 'held submissions',
    table: 'held_submissions',
    column: 'sealed',
    key: ofHeld,
    ownerOf: (key, sealed) => heldOwner(key[1] as string, last(key), sealed),
    // Of up to 128 KB each: about 2 MB.
    rowsPerStep: 16,
  },
  {
    what: 'secrets of destinations',
    table: 'destinations',
    column: 'secret_ciphertext',
    key: ofDestination,
    ownerOf: (key) => destinationSecretOwner(last(key)),
  },
  {
    what: 'former secrets of destinations',
    table: 'destinations',
    column: 'previous_secret_ciphertext',
    key: ofDestination,
    ownerOf: (key) => destinationSecretOwner(last(key)),
  },
  {
    what: 'headers of destinations',
    table: 'destinations',
    column: 'headers_ciphertext',
    key: ofDestination,
    ownerOf: (key) => destinationHeadersOwner(last(key)),
  },
  {
    what: 'responses to deliveries',
    table: 'delivery_attempts',
    column: 'response_head',
    key: ofAttempt,
    ownerOf: (key) => responseHeadOwner(key[2] as string),
  },
  {
    what: 'captcha secrets',
    table: 'browser_settings',
    column: 'captcha_ciphertext',
    key: ofForm,
    ownerOf: (key) => captchaSecretOwner(last(key)),
  },
  {
    what: 'mint secrets',
    table: 'browser_settings',
    column: 'mint_secret_ciphertext',
    key: ofForm,
    ownerOf: (key) => mintSecretOwner(last(key)),
  },
  {
    what: 'former mint secrets',
    table: 'browser_settings',
    column: 'previous_mint_secret_ciphertext',
    key: ofForm,
    ownerOf: (key) => mintSecretOwner(last(key)),
  },
];

export const sealedColumns: readonly SealedColumn[] = columns.map((column) => ({
  rowsPerStep: 200,
  ...column,
}));

export interface SealedCount {
  /** Null for values of version 0.1.0, which carry no key id. */
  readonly keyId: string | null;
  readonly count: number;
}

/** Counts values by the key id that they carry, without decrypting them. */
export async function countSealed(db: Queryable, { table, column }: SealedColumn): Promise<SealedCount[]> {
  return rowsOf(
    db,
    sql<SealedCount>`
      select ${keyIdIn(column)} as "keyId", count(*) as count
      from ${sql.raw(table)} where ${sql.raw(column)} is not null group by 1 order by 1 nulls first`,
  );
}

/** As `keyIdOf` reads it. */
function keyIdIn(column: string): RawBuilder<unknown> {
  const sealed = sql.raw(column);
  return sql`case when substring(${sealed} from 1 for 1) in ('\\x02', '\\x03')
    then encode(substring(${sealed} from 2 for 4), 'hex') end`;
}

export interface SealedValue {
  readonly key: readonly string[];
  readonly sealed: Buffer;
}

/** Some values, to find out which keys decrypt them. */
export async function sampleSealed(
  db: Queryable,
  column: SealedColumn,
  countMax: number,
): Promise<SealedValue[]> {
  return rowsOf(db, sql<SealedValue>`${sealedIn(column)} limit ${countMax}`);
}

/** The next values that were not encrypted with this key, in the order of their primary keys. */
export async function listSealedOtherwise(
  db: Queryable,
  column: SealedColumn,
  keyId: string,
  after: readonly string[] | null,
  countMax: number,
): Promise<SealedValue[]> {
  const names = sql.join(column.key.map(([name]) => sql.raw(name)));
  const parts = column.key.map(([, type], place) => sql`${after?.[place]}::${sql.raw(type)}`);
  const isAfter = after === null ? sql`` : sql`and (${names}) > (${sql.join(parts)})`;
  return rowsOf(
    db,
    sql<SealedValue>`
      ${sealedIn(column)}
        and ${keyIdIn(column.column)} is distinct from ${keyId} ${isAfter}
      order by ${names} limit ${countMax}`,
  );
}

function sealedIn({ table, column, key }: SealedColumn): RawBuilder<unknown> {
  const parts = key.map(([name]) => sql`${sql.raw(name)}::text`);
  return sql`
    select array[${sql.join(parts)}] as key, ${sql.raw(column)} as sealed
    from ${sql.raw(table)} where ${sql.raw(column)} is not null`;
}

export interface ResealedValue extends SealedValue {
  /** The value that was read. If it was changed since, it is not replaced. */
  readonly before: Buffer;
}

/** Returns how many were replaced. Row revisions stay the same, because the content has not changed. */
export async function replaceSealed(
  db: Queryable,
  { table, column, key }: SealedColumn,
  values: readonly ResealedValue[],
): Promise<number> {
  const parts = key.map(
    ([, type], place) => sql`${values.map((value) => value.key[place])}::${sql.raw(type)}[]`,
  );
  const names = sql.join(key.map(([name]) => sql.raw(name)));
  const isRow = allOf(key.map(([name]) => sql`${sql.raw(`t.${name}`)} = ${sql.raw(`v.${name}`)}`));
  const sealed = values.map((value) => value.sealed);
  const before = values.map((value) => hash('sha256', value.before, 'buffer'));
  return changedBy(
    db,
    sql`
      update ${sql.raw(table)} t set ${sql.raw(column)} = v.sealed
      from unnest(${sealed}::bytea[], ${before}::bytea[], ${sql.join(parts)}) as v (sealed, before, ${names})
      where ${isRow} and sha256(${sql.raw(`t.${column}`)}) = v.before`,
  );
}
