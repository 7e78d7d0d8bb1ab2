import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${mac}/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${mac}/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`, 'Safari on macOS'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox on macOS',
  ],
  [`${windows} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
  [`${windows} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera on Windows'],
  [`${phone} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${phone} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${phone} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
  [`${android} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`${android} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`, 'Samsung Internet on Android'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32.3', 'python-requests'],
  ['node', 'Node.js'],
])('%s is recognised', (agent, expected) => {
  expect(browserName(agent).name).toBe(expected);
});

test.each([
  [null],
  [''],
  ['Mozilla/5.0'],
  ['<script>alert(1)</script>'],
  ['<b>/1'],
  ['‮evil/1.0'],
  [`${'x'.repeat(10_000)}/1`],
  ['x'.repeat(100_000)],
])('the user agent %j is shown as unknown, and nothing of it', (agent) => {
  expect(browserName(agent)).toEqual({ browser: null, system: null, name: 'Unknown browser' });
});

test('a system without a known browser is still named', () => {
  expect(browserName('Mozilla/5.0 (Windows NT 10.0) Something/1.0')).toEqual({
    browser: null,
    system: 'Windows',
    name: 'Unknown browser on Windows',
  });
});
