import type { Destination } from '../contract/destinations/destinations.ts';
import type { Form } from '../contract/forms/form.ts';
import type { Workspace } from '../contract/workspaces/workspace.ts';
import type { Api } from './api.ts';
import { CliError } from './exit.ts';

/** The workspace with that name or id; by default the only one. */
export async function findWorkspace(api: Api, wanted: string | undefined): Promise<Workspace> {
  const all = await api.list('/workspaces', {});
  if (wanted !== undefined) return only(all, 'workspace', wanted, ({ id, name }) => [id, name]);
  const [first, ...others] = all;
  if (first === undefined)
    throw new CliError('missing', 'There is no workspace yet. Create one: leadgate workspace create <name>');
  if (others.length === 0) return first;
  throw new CliError(
    'usage',
    `There are ${all.length} workspaces. Choose one with --workspace <name or id>.`,
  );
}

/** The form with that slug, name or id. */
export async function findForm(api: Api, workspaceId: string, wanted: string): Promise<Form> {
  const forms = await api.list('/workspaces/:workspace_id/forms', { params: { workspace_id: workspaceId } });
  return only(forms, 'form', wanted, ({ id, slug, name }) => [id, slug, name]);
}

/** The path parameters of a call about a form. */
export async function formParams(api: Api, workspace: string | undefined, form: string) {
  const { id } = await findWorkspace(api, workspace);
  return { workspace_id: id, form_id: (await findForm(api, id, form)).id };
}

/** The destination with that name or id. */
export async function findDestination(api: Api, workspaceId: string, wanted: string): Promise<Destination> {
  const all = await api.list('/workspaces/:workspace_id/destinations', {
    params: { workspace_id: workspaceId },
  });
  return only(all, 'destination', wanted, ({ id, name }) => [id, name]);
}

/** The path parameters of a call about a destination. */
export async function destinationParams(api: Api, workspace: string | undefined, destination: string) {
  const { id } = await findWorkspace(api, workspace);
  return { workspace_id: id, destination_id: (await findDestination(api, id, destination)).id };
}

/** A name must be unambiguous before anything is changed. */
export function only<Item>(
  items: readonly Item[],
  kind: string,
  wanted: string,
  namesOf: (item: Item) => readonly string[],
): Item {
  const [found, ...others] = items.filter((item) => namesOf(item).includes(wanted));
  if (found === undefined) throw new CliError('missing', `There is no ${kind} called ${wanted}.`);
  if (others.length > 0) throw new CliError('usage', `Several ${kind}s are called ${wanted}. Use an ID.`);
  return found;
}

const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id becomes part of a URL, so it must be nothing else. */
export function idArgument(what: string, text: string): string {
  if (!idShape.test(text))
    throw new CliError(
      'usage',
      `${text} is not a ${what}. Use one like 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10.`,
    );
  return text.toLowerCase();
}
