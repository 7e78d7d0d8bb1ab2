import type { Sender } from './sender.ts';
import { allItems, type TestService } from './service.ts';

// Long enough for a slow machine. Tests do not measure how soon something happens.
const patienceMs = 120_000;

/** Asks until the answer is the expected one, and returns the last answer in any case. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isThere: (answer: T) => boolean,
  forMs = patienceMs,
): Promise<T> {
  const deadline = Date.now() + forMs;
  for (;;) {
    const answer = await ask();
    if (isThere(answer) || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function diagnosticsOf(service: TestService, sender: Sender, query = '') {
  const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/diagnostics${query}`);
  return json;
}

/** Whole leads. */
export function leadsOf(service: TestService, sender: Sender, query = '?') {
  return allItems(service, `/workspaces/${sender.workspaceId}/leads${query}&view=full`);
}

export async function metricOf(service: TestService, name: string): Promise<number> {
  const response = await fetch(`${service.url}/metrics`, {
    headers: { Authorization: `Bearer ${service.operatorKey}` },
  });
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}
