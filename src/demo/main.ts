import { Api } from '../cli/api.ts';
import { ProgressBar } from '../cli/progress.ts';
import { type Config, ConfigError, readDemoConfig } from '../config.ts';
import { openPool } from '../db/pool.ts';
import { fail, type Ready, run } from '../run.ts';
import { createLogger } from '../telemetry/logger.ts';
import { isSeenByPerson, say } from '../telemetry/terminal.ts';
import { Random } from '../time/random.ts';
import { livePast } from './past.ts';
import { PastClock } from './past-clock.ts';
import { inviteOwner } from './people.ts';
import { loadDemo, type SavedDemo, saveDemo, savedDemoPath } from './saved-demo.ts';
import { DemoSender } from './sender.ts';
import { trickle } from './trickle.ts';

const seed = 20_261_115;
const clock = new PastClock();
const random = new Random(seed);

try {
  await run(readDemoConfig(), { clock, whenReady: play });
} catch (error) {
  fail(error);
}

/** The service with a month behind it and leads that go on coming. */
async function play({ config, service, databaseUrl, stopping }: Ready): Promise<void> {
  const api = new Api({ url: service.url, operatorKey: config.operatorKey });
  const sender = new DemoSender(service.url, config.headerPrefix, clock);
  const demo = loadDemo(config.dataDir) ?? (await prepare(config, api, sender, databaseUrl));
  say(greeting(service.url, config.dataDir, demo));
  void trickle(demo.stages, sender, random, stopping);
}

async function prepare(
  config: Config,
  api: Api,
  sender: DemoSender,
  databaseUrl: string,
): Promise<SavedDemo> {
  const { items } = await api.get<{ items: unknown[] }>('/workspaces');
  if (items.length > 0)
    throw new ConfigError(`${config.dataDir} holds half a demo. Delete the folder and start again.`);
  say('Living through a month of leads. This takes about a minute, once.');
  const pool = openPool(databaseUrl, 1, createLogger(config.logLevel));
  const bar = new ProgressBar('30 days');
  try {
    const onProgress = (done: number, total: number) => bar.show(done, total);
    const stages = await livePast({ api, sender, pool, clock, random, onProgress });
    const demo = { stages, signIn: await inviteOwner(api, stages) };
    saveDemo(config.dataDir, demo);
    return demo;
  } finally {
    bar.end();
    await pool.end();
  }
}

function greeting(url: string, dataDir: string, { signIn: { email, password } }: SavedDemo): string {
  const shown = isSeenByPerson() ? password : `is in ${savedDemoPath(dataDir)}`;
  return [
    '',
    `The demo is ready at ${url}`,
    '',
    `  sign in with  ${email}`,
    `  password      ${shown}`,
    '',
    'Leads trickle in while it runs. Delete the folder demo-data to begin anew.',
    'Press Ctrl-C to stop.',
  ].join('\n');
}
