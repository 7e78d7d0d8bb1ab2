import { allItems, type TestService } from '../../support/service.ts';

/** What is done with slugs, as the operator key does it. */
export function slugCalls(service: () => TestService) {
  const api: TestService['api'] = (...call) => service().api(...call);
  return {
    create: (workspaceId: string, body: object) =>
      api('POST', `/workspaces/${workspaceId}/forms`, { name: 'Contact', ...body }),
    rename: (workspaceId: string, formId: string, slug: string, more = {}) =>
      api('PATCH', `/workspaces/${workspaceId}/forms/${formId}`, { slug, ...more }),
    remove: (workspaceId: string, formId: string) =>
      api('DELETE', `/workspaces/${workspaceId}/forms/${formId}`),
    checkSlug: async (workspaceId: string, query: string) =>
      (await api('GET', `/workspaces/${workspaceId}/slug-check?${query}`)).json,
    release: (workspaceId: string, body: object) =>
      api('POST', `/workspaces/${workspaceId}/former-slugs/release`, body),
    formerSlugs: async (workspaceId: string): Promise<string[]> =>
      (await allItems(service(), `/workspaces/${workspaceId}/former-slugs?limit=200`)).map(
        ({ slug }) => slug,
      ),
  };
}
