import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { countFormerSlugs, deleteFormerSlug, insertFormerSlug } from '../../db/forms/former-slugs.ts';
import { type FormRecord, findSlugHolders, lockSlugs, type SlugHolder } from '../../db/forms/forms.ts';
import { countSlugChange } from '../../db/forms/slug-changes.ts';
import type { Queryable } from '../../db/pool.ts';
import { aliasDays, slugCharactersMax, slugFromName } from '../../domain/form.ts';
import { dayMs } from '../../time/clock.ts';
import { Problem } from '../calls/problem.ts';

/** Nobody else can use a former slug, so without limits one workspace could reserve all good names. */
export const formerSlugsMax = 200;
export const slugChangesPerDayMax = 20;

const numbersTried = 20;
const hashCharacters = 8;

/** A slug for a form with this name, available until the end of the transaction. */
export async function slugForName(client: pg.PoolClient, workspaceId: string, name: string): Promise<string> {
  await lockSlugs(client);
  return availableSlug(client, workspaceId, slugStem(name));
}

/** From the name, or a number if it has no Latin spelling. The same name gets the same one, so that it can be shown before. */
export function slugStem(name: string): string {
  const stem = slugFromName(name);
  if (stem !== '') return stem;
  return withSuffix(
    'form',
    createHash('sha256').update(name.normalize()).digest('hex').slice(0, hashCharacters),
  );
}

/** Throws unless a form of this workspace can use the slug. It then stops being a former slug. */
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
  // A shared slug is ambiguous, so neither workspace gets leads. A former slug of another workspace would not be ambiguous.
  const isShared = sharingAllowed && others.every(({ isFormer }) => !isFormer);
  if (others.length > 0 && !isShared) {
    throw await slugTaken(client, workspaceId, slug, `The slug "${slug}" is not available.`);
  }
  await deleteFormerSlug(client, workspaceId, slug);
}

/** Reserves a form's old slug for its workspace, as an alias if wished. Throws if the workspace has too many former slugs. */
export async function giveUpSlug(
  client: pg.PoolClient,
  { id: formId, workspaceId, slug }: FormRecord,
  freedAt: Date,
  isAlias = false,
): Promise<void> {
  await lockSlugs(client);
  if (isAlias) await requireAlone(client, workspaceId, slug);
  const aliasUntil = isAlias ? new Date(freedAt.getTime() + aliasDays * dayMs) : null;
  await insertFormerSlug(client, workspaceId, { slug, formId, freedAt, aliasUntil });
  if ((await countFormerSlugs(client, workspaceId)) > formerSlugsMax) {
    throw new Problem(
      'too_many_former_slugs',
      `This workspace has reached the limit of ${formerSlugsMax} former slugs. Use one of them again, or ask an operator to release some. You can still deactivate the form.`,
    );
  }
  if (!(await countSlugChange(client, workspaceId, freedAt, slugChangesPerDayMax))) {
    throw new Problem(
      'too_many_slug_changes',
      `This workspace has freed ${slugChangesPerDayMax} slugs today by changing them or deleting forms. Try again after midnight UTC. You can still deactivate the form.`,
    );
  }
}

/**
 * An alias of a slug that workspaces shared would get requests that are meant for the others, so there is none. While there is
 * an alias, no other workspace can take its slug, because it is a former one. Does not say who has it.
 */
async function requireAlone(client: pg.PoolClient, workspaceId: string, slug: string): Promise<void> {
  const holders = await findSlugHolders(client, [slug]);
  if (holders.some((holder) => holder.workspaceId !== workspaceId)) {
    throw new Problem(
      'alias_not_available',
      `The slug "${slug}" cannot stay an alias. Change the URL at your senders, then change the slug without an alias.`,
    );
  }
}

/** The stem, or something similar that this workspace can use. */
export async function availableSlug(db: Queryable, workspaceId: string, stem: string): Promise<string> {
  const numbers = Array.from({ length: numbersTried }, (_, i) => String(i + 2));
  const candidates = [stem, ...numbers.map((number) => withSuffix(stem, number))];
  const isOwn = (holder: SlugHolder) => holder.isFormer && holder.workspaceId === workspaceId;
  const holders = await findSlugHolders(db, candidates);
  const unavailable = new Set(holders.filter((holder) => !isOwn(holder)).map(({ slug }) => slug));
  return candidates.find((slug) => !unavailable.has(slug)) ?? withSuffix(stem, randomText());
}

/** Does not say who has it: a workspace must not learn which slugs others use or used. */
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
