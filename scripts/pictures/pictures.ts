import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { say } from '../../src/telemetry/terminal.ts';
import { findChromium } from '../../test/support/browser/find-chromium.ts';
import { type Seeded, seed } from './seed.ts';
import { type PictureWorld, startPictureWorld } from './world.ts';

/** Takes the pictures of README.md and docs/settings-area.md anew. */
const folder = join(import.meta.dirname, '../../docs/pictures');
const bytesMax = 150_000;
const qualities = [82, 70, 55, 40];

const world = await startPictureWorld();
try {
  const seeded = await seed(world);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({
      baseURL: world.url,
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 1.5,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    const cookies = [...world.owner.cookies].map(([name, value]) => ({ name, value, url: world.url }));
    await context.addCookies(cookies);
    const page = await context.newPage();
    mkdirSync(folder, { recursive: true });
    for (const [name, show] of Object.entries(scenes(world, seeded))) {
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
} finally {
  await world.stop();
}

function scenes({ workspaceId }: PictureWorld, { formId, leadId }: Seeded) {
  const base = `/w/${workspaceId}`;
  return {
    overview: async (page: Page) => {
      await page.goto(base);
      await page.locator('.recharts-bar-rectangle').first().waitFor({ state: 'attached' });
    },
    diagnostics: async (page: Page) => {
      await page.goto(`${base}/tokens/diagnostics`);
      await page.locator('.recharts-bar-rectangle').first().waitFor({ state: 'attached' });
    },
    debugger: async (page: Page) => {
      await page.goto(`${base}/tokens/diagnostics?reason=signature_mismatch`);
      await page
        .getByRole('button', { name: /^Details of request/ })
        .first()
        .click();
      await page.getByRole('link', { name: 'Open in signature debugger' }).click();
      await page.getByRole('button', { name: 'Find the mistake' }).click();
      await page.getByRole('heading', { name: 'How to mend it' }).waitFor();
    },
    lead: async (page: Page) => {
      await page.goto(`${base}/leads/${leadId}`);
      await page.getByRole('dialog').getByRole('tab', { name: 'Score' }).click();
      await page.getByText('The score was fixed').waitFor();
    },
    delivery: async (page: Page) => {
      await page.goto(`${base}/forms/${formId}/delivery`);
      await page.getByText('Two secrets verify').waitFor();
    },
  };
}

/** Chromium writes WebP itself; the first quality that is small enough will do. */
async function take(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (const quality of qualities) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const picture = Buffer.from(data, 'base64');
    if (picture.length <= bytesMax) return picture;
  }
  throw new Error(`A picture of ${page.url()} has more than ${bytesMax} bytes at every quality.`);
}
