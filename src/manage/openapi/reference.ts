import { createHash } from 'node:crypto';
import type { Env, Hono } from 'hono';

// URLs are relative, so that the page also works behind a proxy that adds a prefix.
const page = (...scripts: readonly string[]) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Leadgate API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    ${scripts.map((script) => `<script src="${script}"></script>`).join('\n    ')}
  </body>
</html>
`;

/** Everything that contacts third parties is turned off. */
const configuration = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};
const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
const startHash = createHash('sha256').update(startScript).digest('hex').slice(0, 12);
const startName = `reference/start-${startHash}.js`;

/** The second line of defence: the browser refuses what the configuration missed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The names have a hash of the content, so that browsers keep both scripts.
const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
};
const absentText = 'The API reference is not built. Run "npm run build:docs" and start the service again.\n';

/** Scalar's script is a file of the documentation, compressed when that is built. */
export function serveReference<E extends Env>(app: Hono<E>, script: Promise<string | null>): void {
  app.get('/api/reference', async (context) => {
    const path = await script;
    if (path === null) return context.text(absentText, 503);
    return context.html(page(`..${path}`, startName), 200, {
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
    });
  });
  app.get(`/api/${startName}`, (context) => context.body(startScript, 200, scriptHeaders));
}
