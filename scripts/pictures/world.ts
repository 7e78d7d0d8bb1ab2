import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { webRecipe } from '../../src/http/site/build-recipe.ts';
import { prepareBuild } from '../../src/http/site/prepare-build.ts';
import { startService } from '../../src/start/service.ts';
import { say } from '../../src/telemetry/terminal.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { Browser } from '../../test/support/browser/browser.ts';

export interface PictureWorld {
  readonly url: string;
  readonly databaseUrl: string;
  /** Signed in as the owner of the workspace, who is an operator too. */
  readonly owner: Browser;
  readonly workspaceId: string;
  stop(): Promise<void>;
}

const operatorKey = 'operator-key-of-the-pictures-0123456789';

/** A service of its own, in a folder that is gone afterwards, with one owner. */
export async function startPictureWorld(): Promise<PictureWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadgate-pictures-'));
  const webApp = prepareBuild(webRecipe, say);
  const docsSite = Promise.resolve(null);
  const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    OPERATOR_KEY: operatorKey,
    ENRICH_NETWORK: 'off',
  });
  const log = pino({ level: 'silent' });
  const service = await startService({
    config,
    databaseUrl: database.url,
    clock: systemClock,
    log,
    webApp,
    docsSite,
  });
  await service.databaseReady;
  const link = (await service.createSetupLink()) ?? '';
  const owner = new Browser(service.url);
  const { json } = await owner.api('POST', '/setup', {
    token: link.split('#token=')[1],
    name: 'Olga Owner',
    email: 'olga@example.com',
    password: 'seven wet umbrellas',
    workspace_name: 'Northwind Boats',
  });
  await fetch(`${service.url}/api/v1/operator/people`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorKey}` },
    body: JSON.stringify({ person_id: json.user.id, operator: true }),
  });
  return {
    url: service.url,
    databaseUrl: database.url,
    owner,
    workspaceId: json.workspaces[0].id,
    async stop() {
      await service.stop();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
