import { afterAll, beforeAll, expect, test } from 'vitest';
import { matches } from '../../src/domain/destination/filter.ts';
import { sampleLead } from '../../src/domain/destination/sample-lead.ts';
import { clickIds } from '../../src/domain/lead/attribution.ts';
import { attribution } from '../../src/enrich/providers/builtin/attribution.ts';
import { readInput } from '../../src/enrich/reading/input.ts';
import { contactPage } from './page-server.ts';
import { visit } from './visit.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

let world: SdkWorld;

beforeAll(async () => {
  // The work is not what is tested here.
  world = await startSdkWorld({ protection: 'none' });
});
afterAll(() => world.stop());

const sample = sampleLead({ workspaceId: 'w', submissionId: 's', form: null, at: new Date(0) });
const campaigns = Array.from({ length: 10 }, (_, at) => ({ utm_source: `news ${at}`, utm_medium: 'email' }));
const clicks = clickIds.map((id) => ({ [id]: `of ${id}` }));

test('of 20 leads that the script sends, filters and enrichment read the campaign or the click ID of each', async () => {
  const { service, pages, key } = world;
  const script = `<script src="${service.url}/sdk/v1.js" defer></script>`;
  const { page, told } = await visit(pages.add('/campaign', contactPage(script, `data-leadgate="${key}"`)));
  const visits: Record<string, string>[] = [...campaigns, ...clicks, {}];
  for (const [at, parameters] of visits.entries()) {
    const query = new URLSearchParams({ ...parameters, secret: '1', xclid: '2' });
    await page.evaluate(`history.replaceState(null, '', '?${query}')`);
    await page.locator('textarea').fill(`Visit ${at}`);
    await page.locator('button').click();
    await expect.poll(() => told.length).toBe(at + 1);
  }
  const leads = await world.leads();
  const fieldsOf = visits.map((_, at) => leads.find(({ fields }) => fields.message === `Visit ${at}`).fields);
  expect(fieldsOf.map(({ _context }) => _context.campaign)).toEqual(visits);

  const hasSource = { all: [{ field: 'attribution.utm_source', op: 'exists' as const }] };
  const matching = fieldsOf.map((fields) =>
    matches(hasSource, { ...sample, fields: JSON.stringify(fields) }),
  );
  expect(matching).toEqual(visits.map((parameters) => 'utm_source' in parameters));

  const landing_page = `${pages.origin}/campaign`;
  const said = (fields: Record<string, unknown>) => attribution.enrich(readInput(fields));
  expect(fieldsOf.map(said)).toEqual(visits.map((parameters) => said({ ...parameters, landing_page })));
});
