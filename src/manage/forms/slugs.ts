import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { countFormerSlugs, deleteFormerSlug, insertFormerSlug } from '../../db/forms/former-slugs.ts';
import { type FormRecord, findSlugHolders, lockSlugs, type SlugHolder } from '../../db/forms/forms.ts';
import { countSlugChange } from '../../db/forms/slug-changes.ts';
import type { Queryable } from '../../db/pool.ts';
import { slugCharactersMax, slugFromName } from '../../domain/form.ts';
import { Problem } from '../calls/problem.ts';

/** Each former slug is one that nobody else can have: without limits, one workspace could reserve all good names. */
export const formerSlugsMax = 200;
export const slugChangesPerDayMax = 20;

const numbersTried = 20;

/** The slug for a form of this name. It stays available until the end of the transaction. */
export async function slugForName(client: pg.PoolClient, workspaceId: string, name: string): Promise<string> {
  await lockSlugs(client);
  const stem = slugFromName(name);
  if (stem === '') return withSuffix('form', randomText());
  return availableSlug(client, workspaceId, stem);
}

/** Throws unless a form of this workspace may have the slug, which then is a former one no longer. */
export async function takeSlug(
  client: pg.PoolClient,
  workspaceId: string,
  slug: string,
  sharingAllowed: boolean,
): Promise<void> {
  await lockSlugs(client);
  const holders = await findSlugHolders(client, [slug]);
  if (holders.some((holder) => holder.workspaceId === workspaceId && !holder.isFormer)) {
    throw await slugTaken(
      client,
      workspaceId,
      slug,
      `Another form of this workspace uses the slug "${slug}".`,
    );
  }
  const others = holders.filter((holder) => holder.workspaceId !== workspaceId);
  // Sharing makes a slug ambiguous, so that nobody gets anything. One that was given up would not be.
  const isShared = sharingAllowed && others.every(({ isFormer }) => !isFormer);
  if (others.length > 0 && !isShared) {
    throw await slugTaken(client, workspaceId, slug, `The slug "${slug}" is not available.`);
  }
  await deleteFormerSlug(client, workspaceId, slug);
}

/** Keeps the slug that a form had for its workspace. Throws when the workspace has given up too many. */
export async function giveUpSlug(
  client: pg.PoolClient,
  { id: formId, workspaceId, slug }: FormRecord,
  freedAt: Date,
): Promise<void> {
  await lockSlugs(client);
  await insertFormerSlug(client, workspaceId, { slug, formId, freedAt });
  if ((await countFormerSlugs(client, workspaceId)) > formerSlugsMax) {
    throw new Problem(
      'too_many_former_slugs',
      `This workspace has reached the limit of ${formerSlugsMax} former slugs. Use one of them again, or ask an operator to release some. You can still deactivate the form.`,
    );
  }
  if (!(await countSlugChange(client, workspaceId, freedAt, slugChangesPerDayMax))) {
    throw new Problem(
      'too_many_slug_changes',
      `This workspace has given up ${slugChangesPerDayMax} slugs today, by changing them or by deleting forms. Try again after midnight UTC. You can still deactivate the form.`,
    );
  }
}

/** The stem itself, or something like it that this workspace can have. */
export async function availableSlug(db: Queryable, workspaceId: string, stem: string): Promise<string> {
  const numbers = Array.from({ length: numbersTried }, (_, i) => String(i + 2));
  const candidates = [stem, ...numbers.map((number) => withSuffix(stem, number))];
  const isOwn = (holder: SlugHolder) => holder.isFormer && holder.workspaceId === workspaceId;
  const holders = await findSlugHolders(db, candidates);
  const unavailable = new Set(holders.filter((holder) => !isOwn(holder)).map(({ slug }) => slug));
  return candidates.find((slug) => !unavailable.has(slug)) ?? withSuffix(stem, randomText());
}

/** Says nothing of whose it is: another workspace must not learn which slugs are in use, and which were. */
async function slugTaken(
  client: pg.PoolClient,
  workspaceId: string,
  slug: string,
  why: string,
): Promise<Problem> {
  const suggestion = await availableSlug(client, workspaceId, slug);
  return new Problem('slug_taken', `${why} "${suggestion}" is available.`, { suggestion });
}

function withSuffix(stem: string, suffix: string): string {
  const room = slugCharactersMax - suffix.length - 1;
  return `${stem.slice(0, room).replace(/-+$/, '')}-${suffix}`;
}

function randomText(): string {
  return randomBytes(4).toString('hex');
}
