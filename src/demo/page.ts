import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from '../cli/api.ts';
import { pathOf } from '../http/paths.ts';
import type { Stage } from './stage.ts';

export const formPath = '/demo/form';
const thanksPath = '/demo/thanks';
/** The form that web pages use. */
export const pageSlug = 'brightwater-contact';
/** Its made-up sites. */
export const siteOrigins = ['https://www.brightwater.example', 'https://quotes.brightwater.example'] as const;

/** As strict as a policy can be: the script and the requests of the SDK are all that is allowed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A web page whose form sends its leads with the SDK, and without script as well. */
export class DemoPage {
  #publicKey: string | null = null;

  /** Allows the demo itself as an origin. Its URL may differ with each start. */
  async connect(api: Api, stages: readonly Stage[]): Promise<void> {
    const { workspaceId, formId } = stages.find(({ slug }) => slug === pageSlug) as Stage;
    const { public_key } = await api.call('PUT', '/workspaces/:workspace_id/forms/:form_id/browser', {
      params: { workspace_id: workspaceId, form_id: formId },
      body: {
        enabled: true,
        origins: [...siteOrigins, new URL(api.url).origin],
        localhost: true,
        no_script: true,
        thanks_url: new URL(thanksPath, api.url).href,
      },
    });
    this.#publicKey = public_key;
  }

  /** False for every other path, and until the form is ready. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const html = this.#htmlOf(pathOf(request.url ?? ''));
    if (html === null) return false;
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : html);
    return true;
  }

  #htmlOf(path: string): string | null {
    if (path === thanksPath)
      return page('Thank you', `<p>We will be in touch.</p><p><a href="${formPath}">Send another</a></p>`);
    return path === formPath && this.#publicKey !== null
      ? page('Contact Brightwater Logistics', form(this.#publicKey))
      : null;
  }
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`;
}

const form = (publicKey: string) => `<script src="/sdk/v1.js" defer></script>
    <form data-leadgate="${publicKey}" action="/api/v1/browser/forms/${publicKey}" method="post" data-next="${thanksPath}">
      <p><label>Name<br><input name="name" autocomplete="name" required></label></p>
      <p><label>Email<br><input name="email" type="email" autocomplete="email" required></label></p>
      <p><label>Company<br><input name="company" autocomplete="organization"></label></p>
      <p><label>Message<br><textarea name="message" rows="5" cols="50"></textarea></label></p>
      <p><button>Send</button></p>
    </form>`;
