import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { Api } from '../src/cli/api.ts';
import { makeLead } from '../src/demo/lead-maker.ts';
import { mishaps } from '../src/demo/mishaps.ts';
import { loadDemo } from '../src/demo/saved-demo.ts';
import { DemoSender } from '../src/demo/sender.ts';
import type { Stage } from '../src/demo/stage.ts';
import { say } from '../src/telemetry/terminal.ts';
import { dayMs, secondMs } from '../src/time/clock.ts';
import { Random } from '../src/time/random.ts';
import { systemClock } from '../src/time/real-clock.ts';
import { findChromium } from '../test/support/browser/find-chromium.ts';

/** Takes the screenshots of README.md and docs/settings-area.md, as the owner of the demo. */
const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/pictures');
const bytesMax = 150_000;
const qualities = [82, 70, 55, 40];

const dataDir = mkdtempSync(join(tmpdir(), 'leadgate-pictures-'));
const operatorKey = randomBytes(24).toString('hex');
const env = { PATH: '/usr/bin:/bin', DATA_DIR: dataDir, PORT: '0', OPERATOR_KEY: operatorKey };
const demo = spawn(process.execPath, [join(root, 'src/demo/main.ts')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  say('Filling the demo, which takes about a minute.');
  await takeAll(await urlOnceReady(demo));
} finally {
  if (demo.exitCode === null && demo.kill('SIGTERM')) await once(demo, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}

async function urlOnceReady({ stdout }: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of stdout ?? []) {
    output += chunk;
    const url = /ready at (\S+)\n/.exec(output)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The demo ended instead of starting:\n${output}`);
}

async function takeAll(url: string): Promise<void> {
  const { stages = [], signIn } = loadDemo(dataDir) ?? {};
  const stage = stages.find(({ slug }) => slug === 'brightwater-contact') as Stage;
  const scenes = await prepareScenes(url, stage);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 1.5,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    await context.request.post('/api/auth/sign-in/email', { data: signIn, headers: { Origin: url } });
    const page = await context.newPage();
    for (const [name, show] of Object.entries(scenes)) {
      await show(page);
      await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
      await page.mouse.move(0, 0);
      const picture = await take(page);
      writeFileSync(join(folder, `${name}.webp`), picture);
      say(`docs/pictures/${name}.webp ${Math.round(picture.length / 1000)} KB`);
    }
  } finally {
    await browser.close();
  }
}

/** Adds to the demo what a month does not leave behind: a rejection to debug, and a rotation in progress. */
async function prepareScenes(url: string, stage: Stage) {
  const { workspaceId, formId, form } = stage;
  const api = new Api({ url, key: operatorKey });
  const random = new Random(1);
  const sender = new DemoSender(url, 'X-SVC-', systemClock);
  const inWorkspace = { workspace_id: workspaceId };
  const rotation = {
    params: { ...inWorkspace, form_id: formId },
    body: { overlap_seconds: dayMs / secondMs },
  };
  await mishaps.signature_mismatch?.(sender, stage);
  await api.call('PUT', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', rotation);
  const sendLeads = async (count: number) => {
    for (let sent = 0; sent < count; sent++)
      await sender.signed(stage, JSON.stringify(makeLead(form, random)));
  };
  await sendLeads(3);
  // The pages before it are not about a receiver that is down.
  const sales = { params: { ...inWorkspace, destination_id: await salesDestination() } };
  await api.call('POST', '/workspaces/:workspace_id/destinations/:destination_id/pause', sales);
  const rejection = await rejectionOnceWritten();
  const { items } = await api.call('GET', '/workspaces/:workspace_id/leads', {
    params: inWorkspace,
    query: { verdict: 'spam', limit: 200 },
  });
  const [lead] = items.toSorted((one, other) => other.reasons.length - one.reasons.length);
  const base = `/w/${workspaceId}`;
  const barsAt = (path: string) => async (page: Page) => {
    await page.goto(path);
    await page.locator('.bars-bar').first().waitFor({ state: 'attached' });
  };
  return {
    overview: barsAt(`${base}?range=7d`),
    diagnostics: barsAt(`${base}/tokens/diagnostics?range=30d`),
    debugger: async (page: Page) => {
      await page.goto(`${base}/debugger?form=${formId}&rejection=${rejection}`);
      await page.locator('.panel button').last().click();
      await page.locator('[aria-live=polite] pre').first().waitFor();
    },
    lead: async (page: Page) => {
      await page.goto(`${base}/leads/${lead?.submission_id}`);
      await page.getByRole('dialog').getByRole('tab', { name: 'Score' }).click();
    },
    delivery: async (page: Page) => {
      await page.goto(`${base}/forms/${formId}/delivery`);
      await page.locator('[role=alert]').first().waitFor();
    },
    'web-page': async (page: Page) => {
      await page.goto(`${base}/forms/${formId}/delivery/web-page`);
      await page.getByText('Last seen from').waitFor();
    },
    destinations: async (page: Page) => {
      await api.call('POST', '/workspaces/:workspace_id/destinations/:destination_id/resume', sales);
      // Enough for it to be noticed.
      await sendLeads(30);
      await page.goto(`${base}/destinations`);
      await page.getByText('next try').waitFor();
    },
    destination: async (page: Page) => {
      await page.goto(`${base}/destinations/new`);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Name', { exact: true }).fill('CRM');
      await page.getByLabel('URL', { exact: true }).fill('https://crm.example.com/leads');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('would be sent').waitFor();
    },
    deliveries: async (page: Page) => {
      await page.goto(`${base}/deliveries/${await failedDelivery()}`);
      await page.getByRole('list', { name: 'Attempts' }).waitFor();
    },
    held: async (page: Page) => {
      const path = '/workspaces/:workspace_id/forms/:form_id';
      const params = { ...inWorkspace, form_id: formId };
      await api.call('PATCH', path, { params, body: { active: false } });
      await sendLeads(4);
      await api.call('PATCH', path, { params, body: { active: true } });
      await page.goto(`${base}/tokens/diagnostics/held`);
      await page.getByText('Form inactive', { exact: true }).nth(3).waitFor();
    },
  };

  async function salesDestination(): Promise<string> {
    const path = '/workspaces/:workspace_id/destinations';
    const { items: all } = await api.call('GET', path, { params: inWorkspace });
    return all.find(({ name }) => name === 'Sales automation')?.id ?? '';
  }

  /** One that the receiver has refused. */
  async function failedDelivery(): Promise<string> {
    for (;;) {
      const { items: waiting } = await api.call('GET', '/workspaces/:workspace_id/deliveries', {
        params: inWorkspace,
        query: { state: 'pending', limit: 200 },
      });
      const failed = waiting.find(({ attempts }) => attempts > 0);
      if (failed !== undefined) return failed.id;
      await systemClock.sleep(200);
    }
  }

  /** Diagnostics are written once a second. */
  async function rejectionOnceWritten(): Promise<string> {
    const from = new Date(systemClock.now() - 60 * secondMs).toISOString();
    for (;;) {
      const { items } = await api.call('GET', '/workspaces/:workspace_id/diagnostics', {
        params: inWorkspace,
        query: { reason: 'signature_mismatch', form_id: formId, from, limit: 1 },
      });
      if (items[0] !== undefined) return items[0].id;
      await systemClock.sleep(200);
    }
  }
}

/** Chromium writes WebP itself; the first quality that is small enough is used. */
async function take(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (const quality of qualities) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const picture = Buffer.from(data, 'base64');
    if (picture.length <= bytesMax) return picture;
  }
  throw new Error(`A screenshot of ${page.url()} is larger than ${bytesMax} bytes at every quality.`);
}
