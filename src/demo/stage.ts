import type { Api } from '../cli/api.ts';
import { type DemoForm, workspaces } from './cast.ts';
import type { Place } from './sender.ts';

/** A demo form that is ready for leads. */
export interface Stage extends Place {
  readonly workspace: string;
  readonly form: DemoForm;
}

const fields = ['name', 'email', 'company', 'message'].map((key) => ({ key }));

/** Creates the workspaces, forms, tokens and secrets through the API, like an operator. */
export async function setStage(api: Api, onBare: (place: Stage) => Promise<void>): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const { name, forms } of workspaces) {
    const { id } = await api.call('POST', '/workspaces', { body: { name } });
    for (const form of forms) stages.push(await addForm(api, { id, name }, form, onBare));
  }
  return stages;
}

/** `onBare` is called before the form has a secret. */
export async function addForm(
  api: Api,
  workspace: { readonly id: string; readonly name: string },
  form: DemoForm,
  onBare: (place: Stage) => Promise<void> = async () => {},
  more: { allow_shared_slug?: boolean } = {},
): Promise<Stage> {
  const params = { workspace_id: workspace.id };
  const { id: formId } = await api.call('POST', '/workspaces/:workspace_id/forms', {
    params,
    body: { name: form.name, slug: form.slug, fields, ...more },
  });
  const token = await api.call('POST', '/workspaces/:workspace_id/tokens', {
    params,
    body: { name: `Backend of ${form.name}`, form_id: formId },
  });
  const bare: Stage = {
    workspace: workspace.name,
    form,
    workspaceId: workspace.id,
    formId,
    slug: form.slug,
    token: token.token,
    tokenId: token.id,
    secret: 'none yet',
  };
  await onBare(bare);
  const { secret } = await api.call('PUT', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', {
    params: { ...params, form_id: formId },
    body: {},
  });
  return { ...bare, secret };
}
