import { join } from 'node:path';
import type { AnyRouter } from '@tanstack/react-router';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';

/** The router of the settings area, loaded in Node, where none of its pages is shown. */
export async function readRouter(): Promise<AnyRouter> {
  const vite = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '../web'),
    logLevel: 'warn',
    plugins: [react()],
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    return (await vite.ssrLoadModule('/routes.tsx')).router;
  } finally {
    await vite.close();
  }
}
