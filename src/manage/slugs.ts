import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { findSlugOwners, lockSlugs } from '../db/forms.ts';
import { slugCharactersMax, slugFromName } from '../domain/form.ts';
import { Problem } from './problem.ts';

const numbersTried = 20;

/** A free slug for a form of this name. It stays free until the end of the transaction. */
export async function slugForName(client: pg.PoolClient, name: string): Promise<string> {
  await lockSlugs(client);
  const stem = slugFromName(name);
  if (stem === '') return withSuffix('form', randomText());
  return freeSlug(client, stem);
}

/** Throws unless a form of this workspace may take the slug; holds until the end of the transaction. */
export async function requireFreeSlug(
  client: pg.PoolClient,
  workspaceId: string,
  slug: string,
  sharingAllowed: boolean,
): Promise<void> {
  await lockSlugs(client);
  const owners = await findSlugOwners(client, [slug]);
  const own = owners.some((owner) => owner.workspaceId === workspaceId);
  if (owners.length === 0 || (sharingAllowed && !own)) return;
  const suggestion = await freeSlug(client, slug);
  const owner = own ? 'Another form of this workspace' : 'A form of another workspace';
  throw new Problem(
    'slug_taken',
    `${owner} uses the slug "${slug}". Free is, for example, "${suggestion}".`,
    {
      suggestion,
    },
  );
}

/** The stem itself, or something like it that nobody has. */
export async function freeSlug(client: pg.Pool | pg.PoolClient, stem: string): Promise<string> {
  const numbers = Array.from({ length: numbersTried }, (_, i) => String(i + 2));
  const candidates = [stem, ...numbers.map((number) => withSuffix(stem, number))];
  const taken = new Set((await findSlugOwners(client, candidates)).map(({ slug }) => slug));
  return candidates.find((slug) => !taken.has(slug)) ?? withSuffix(stem, randomText());
}

function withSuffix(stem: string, suffix: string): string {
  const room = slugCharactersMax - suffix.length - 1;
  return `${stem.slice(0, room).replace(/-+$/, '')}-${suffix}`;
}

function randomText(): string {
  return randomBytes(4).toString('hex');
}
