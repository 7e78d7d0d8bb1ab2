import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import type { Instance } from '../../chaos/world/instance.ts';
import { createStranger } from '../../chaos/world/target.ts';
import { callApi } from '../seed.ts';

const submitsPerSpeed = 40;

/** Milliseconds from submit to `leadgate:accepted` in Chromium, with the processor of the page slowed by a factor. */
export async function measureWork(
  { port }: Instance,
  executablePath: string,
  slowdown: number,
): Promise<readonly number[]> {
  const { workspaceId, formId } = await createStranger(port);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><script src="http://127.0.0.1:${port}/sdk/v1.js"></script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = `/workspaces/${workspaceId}/forms/${formId}/browser`;
  const { public_key: key } = await callApi(port, 'PUT', path, { enabled: true, origins: [origin] });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const took: number[] = [];
    const page = await browser.newPage();
    await page.goto(origin);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    let submitted = 0;
    // Another network after some of them: more than ten a minute get harder challenges.
    await page.route('**/api/v1/browser/**', (route, request) => {
      const network = `10.9.${slowdown}.${Math.floor(submitted / 9)}`;
      return route.continue({ headers: { ...request.headers(), 'x-forwarded-for': network } });
    });
    for (let number = 0; number < submitsPerSpeed; number++) {
      submitted = number;
      took.push(
        await page.evaluate(submitTimed, { url: `http://127.0.0.1:${port}`, key: key as string, number }),
      );
    }
    return took.toSorted((a, b) => a - b);
  } finally {
    await browser.close();
    server.close();
  }
}

async function submitTimed({
  url,
  key,
  number,
}: {
  url: string;
  key: string;
  number: number;
}): Promise<number> {
  const { leadgate } = globalThis as unknown as {
    leadgate: (options: object) => { submit(fields: object): Promise<unknown> };
  };
  const startedAt = performance.now();
  await leadgate({ url, key }).submit({ email: `ada${number}@example.com`, message: 'Hello' });
  return performance.now() - startedAt;
}
