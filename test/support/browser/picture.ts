import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '../../../screenshots');

/** Saves a screenshot with PICTURES=1, for manual review; no test depends on it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === '1') await page.screenshot({ path: join(folder, `${name}.png`) });
}
