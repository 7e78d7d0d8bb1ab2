import { Api } from '../cli/api.ts';
import { ProgressBar } from '../cli/terminal/progress.ts';
import { type Config, readDemoConfig } from '../config.ts';
import { fail } from '../start/process/process-life.ts';
import { stayAlive } from '../start/process/stay-alive.ts';
import { type Ready, run } from '../start/run.ts';
import { isSeenByPerson, say } from '../telemetry/terminal.ts';
import { Random } from '../time/random.ts';
import { fillDemo, requireEmpty } from './fill.ts';
import { DemoPage, formPath } from './page.ts';
import { PastClock } from './past-clock.ts';
import { connectReceivers, type Receivers, startReceivers } from './receivers.ts';
import { loadDemo, type SavedDemo, savedDemoPath } from './saved-demo.ts';
import { DemoSender } from './sender.ts';
import { trickle } from './trickle.ts';

stayAlive();
const seed = 20_261_115;
const clock = new PastClock();
const random = new Random(seed);

try {
  const receivers = await startReceivers();
  const page = new DemoPage();
  const whenReady = (ready: Ready) => play(ready, receivers, page);
  const furtherPages = page.serve.bind(page);
  await run(readDemoConfig(receivers.address), { clock, whenReady, furtherPages });
} catch (error) {
  fail(error);
}

/** The service with a month of past leads, and more that keep arriving. */
async function play(
  { config, service, databaseUrl, stopping }: Ready,
  receivers: Receivers,
  page: DemoPage,
): Promise<void> {
  const api = new Api({ url: service.url, key: config.operatorKey });
  const sender = new DemoSender(service.url, config.headerPrefix, clock);
  const demo = loadDemo(config.dataDir) ?? (await fill(config, api, sender, databaseUrl));
  await connectReceivers(api, demo.stages, receivers);
  await page.connect(api, demo.stages);
  say(greeting(service.url, config.dataDir, demo));
  void trickle(demo.stages, sender, random, stopping);
}

async function fill(config: Config, api: Api, sender: DemoSender, databaseUrl: string): Promise<SavedDemo> {
  await requireEmpty(config, api);
  say('Creating a month of leads. This takes about a minute, only the first time.');
  const bar = new ProgressBar('30 days');
  const onProgress = (done: number, total: number) => bar.show(done, total);
  const deps = { config, api, sender, databaseUrl, clock, random, share: 1, onProgress };
  return fillDemo(deps).finally(() => bar.end());
}

function greeting(url: string, dataDir: string, { signIn: { email, password } }: SavedDemo): string {
  const shown = isSeenByPerson() ? password : `is in ${savedDemoPath(dataDir)}`;
  return [
    '',
    `The demo is ready at ${url}`,
    '',
    `  sign in with  ${email}`,
    `  password      ${shown}`,
    `  a web page    ${url}${formPath}`,
    '',
    'New leads keep arriving while it runs. To start over, delete the folder demo-data.',
    'Press Ctrl-C to stop.',
  ].join('\n');
}
