import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/chromium.ts';

const scriptBytesMax = 250_000;

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
});
afterAll(() => world.stop());

test('a stranger who opens any page is asked to sign in, and the way back is kept', async () => {
  const page = await world.open('/w/74a402b1-c88d-4fe5-9c02-fa8c54a206b5/leads?q=ada', { isStranger: true });
  // Accounts answer 401 to whoever has no session.
  await page.route('**/api/v1/me', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized' } }));
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toContain('/leads?q=ada');
});

test('the sign-in page loads at most 250 KB of compressed script, and nothing from elsewhere', async () => {
  const page = await world.open('/sign-in', { isStranger: true });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry.name.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as unknown as { encodedBodySize: number }).encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(scriptBytesMax);
  expect(world.faults).toEqual([]);
});

test('a wrong password and an unknown address get the same words, and what was typed stays', async () => {
  const page = await world.open('/sign-in', { isStranger: true });
  await page.route('**/api/auth/sign-in/email', (route) =>
    route.fulfill({ status: 401, json: { code: 'INVALID_EMAIL_OR_PASSWORD' } }),
  );
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the one');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('do not belong together').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
});

test.each(['light', 'dark'] as const)('the pages without a session are accessible in %s', async (scheme) => {
  for (const [path, button] of [
    ['/sign-in', 'Sign in'],
    ['/setup#token=abc', 'Create owner and workspace'],
  ] as const) {
    const page = await world.open(path, { isStranger: true, scheme });
    await page.getByRole('button', { name: button }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  }
});
