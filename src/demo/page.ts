import { hash } from 'node:crypto';
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

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: light-dark(#c8ccd4, #454a55); }
  body { max-width: 30rem; margin: 3rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; line-height: 1.25; }
  label { display: block; margin-block: 1rem; font-weight: 600; }
  input, textarea { box-sizing: border-box; width: 100%; margin-top: .3rem; padding: .55rem .7rem; font: inherit; font-weight: 400;
    border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; }
  textarea { resize: vertical; }
  button { padding: .6rem 1.4rem; font: inherit; font-weight: 600; border: 0; border-radius: .5rem; background: #4452d6; color: #fff; cursor: pointer; }
  button:disabled { opacity: .55; cursor: progress; }
  a { color: light-dark(#3541b4, #a5b0ff); }
`;

/** As strict as a policy can be: the script and the requests of the SDK are allowed, and the style of this page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  'img-src data:',
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
    <style>${style}</style>
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
      <label>Name<input name="name" autocomplete="name" required></label>
      <label>Email<input name="email" type="email" autocomplete="email" required></label>
      <label>Company<input name="company" autocomplete="organization"></label>
      <label>Message<textarea name="message" rows="5"></textarea></label>
      <button>Send</button>
    </form>`;
