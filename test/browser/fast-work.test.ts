import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { send } from '../support/sender.ts';
import { elsewhere, exchanged, type PageForm, PageWorld, pageOrigin, someBody } from './page-world.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let pages: PageWorld;
beforeAll(async () => {
  pages = await PageWorld.start(clock);
});
afterAll(() => pages.stop());

/** The codes of the lead whose challenge was solved in that time. */
async function codesAfter(ms: number): Promise<string[]> {
  const form: PageForm = await pages.createForm({ protection: 'work' });
  const solved = async (): Promise<ReturnType<typeof exchanged>> => {
    const given = exchanged(await pages.challenge(form, elsewhere()));
    return given.solution === '0' ? solved() : given;
  };
  const body = await solved();
  clock.advance(ms);
  const { token } = JSON.parse((await pages.ask('tokens', body, elsewhere())).body);
  const headers = {
    Origin: pageOrigin,
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
  };
  const answer = await send(`${pages.service.url}/api/v1/browser/submissions`, 'POST', headers, someBody);
  expect(answer.status).toBe(202);
  const [lead] = await leadsOf(pages.service, form);
  return lead.reasons.map(({ code }: { code: string }) => code);
}

test('a lead gets points when its challenge was solved sooner than any device can', async () => {
  expect(await codesAfter(0)).toContain('BROWSER_WORK_FAST');
  expect(await codesAfter(400)).not.toContain('BROWSER_WORK_FAST');
});
