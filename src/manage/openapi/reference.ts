import { readFile } from 'node:fs/promises';
import type { Env, Hono } from 'hono';

// URLs are relative, so that the page also works behind a proxy that adds a prefix.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Leadgate API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <script src="reference/scalar.js"></script>
    <script src="reference/start.js"></script>
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

const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
};

/** Scalar's page as a single file from the npm package. */
const bundleFile = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));

export function serveReference<E extends Env>(app: Hono<E>): void {
  let bundle: Promise<Buffer<ArrayBuffer>> | undefined;
  app.get('/api/reference', (context) =>
    context.html(page, 200, {
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
    }),
  );
  app.get('/api/reference/start.js', (context) => context.body(startScript, 200, scriptHeaders));
  app.get('/api/reference/scalar.js', async (context) => {
    bundle ??= readFile(bundleFile);
    return context.body(await bundle, 200, scriptHeaders);
  });
}
