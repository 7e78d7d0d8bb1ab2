import type { Config } from '../../config.ts';
import { hasPeople } from '../../db/people/people.ts';
import { endUnusedStarter, type StarterDeps } from '../../manage/workspaces/starter.ts';
import { firstStartCredentials, hasFirstStartFile, removeFirstStart } from '../../telemetry/first-start.ts';
import { type Loop, secondMs } from '../../time/clock.ts';

const pauseMs = 3 * secondMs;

/**
 * The file of the first start ends with the first account, whichever instance creates it: the one that has the file looks
 * every few seconds, also after a kill.
 */
export class FirstStart {
  readonly #deps: StarterDeps & { readonly config: Pick<Config, 'dataDir'> };
  #loop: Loop | null = null;

  constructor(deps: StarterDeps & { readonly config: Pick<Config, 'dataDir'> }) {
    this.#deps = deps;
  }

  start(): void {
    const onFailure = this.#onFailure.bind(this);
    this.#loop = this.#deps.clock.repeat(() => this.#end(), { pauseMs, onFailure });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  end(): Promise<void> {
    return this.#end().catch((error) => this.#onFailure(error));
  }

  async #end(): Promise<void> {
    const { config, pool, log } = this.#deps;
    if (!hasFirstStartFile(config.dataDir) || !(await hasPeople(pool))) return;
    const credentials = firstStartCredentials(config.dataDir);
    // The file stays until they have ended, so that a kill in between loses nothing.
    if (credentials !== null) await endUnusedStarter(this.#deps, credentials);
    removeFirstStart(config.dataDir);
    log.info('first-start.txt deleted: someone has an account');
  }

  #onFailure(err: unknown): void {
    this.#deps.log.warn({ err }, 'first-start.txt not deleted; trying again');
  }
}
