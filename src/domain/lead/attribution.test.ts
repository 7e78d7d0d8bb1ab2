import { describe, expect, test } from 'vitest';
import { documentOf } from '../destination/reading/lead-document.ts';
import { sampleLead } from '../destination/sample-lead.ts';
import { attributionOf, clickIds } from './attribution.ts';

const sample = sampleLead({ workspaceId: 'w', submissionId: 's', form: null, at: new Date(0) });
const page = 'https://shop.example/contact';

describe.each([
  ['enrichment and the scorer', (json: string) => attributionOf(JSON.parse(json))],
  ['destinations', (json: string) => documentOf({ ...sample, fields: json }).attribution()],
])('as %s read it', (_, read) => {
  const attribution = (fields: object) => Object.fromEntries(read(JSON.stringify(fields)));

  test('campaign parameters are recognised in the spellings that forms use', () => {
    const fields = {
      utm_source: 'google',
      'utm-medium': ' cpc ',
      UtmCampaign: 'spring',
      GCLID: 'x1',
      Referer: 'https://a.example',
    };
    expect(attribution(fields)).toEqual({
      utm_source: 'google',
      utm_medium: 'cpc',
      utm_campaign: 'spring',
      gclid: 'x1',
      referrer: 'https://a.example',
    });
  });

  test('what the script of web pages says about the visit counts', () => {
    const campaign = { utm_source: 'news', ...Object.fromEntries(clickIds.map((id) => [id, `${id} 1`])) };
    const _context = { page, referrer: 'https://a.example/', campaign, elapsed_ms: 7 };
    expect(attribution({ name: 'Ada', _context })).toEqual({
      ...campaign,
      referrer: 'https://a.example/',
      landing_page: page,
    });
  });

  test('a field counts before the script, and the script before the URL of the landing page', () => {
    const fields = {
      _context: { page, campaign: { utm_source: 'b', utm_medium: 'b' } },
      utm_source: 'a',
      utm_term: ' ',
      landing_page:
        'https://shop.example/a?utm_source=c&utm_medium=c&utm_term=c&msclkid=7&utm_content=&referrer=c',
    };
    expect(attribution(fields)).toEqual({
      utm_source: 'a',
      utm_medium: 'b',
      utm_term: 'c',
      msclkid: '7',
      landing_page: fields.landing_page,
    });
  });

  test('what is no text, empty or very long is left out', () => {
    const fields = { utm_source: 7, utm_term: '', utm_content: 'x'.repeat(100_000), landing: 'http://[' };
    expect(attribution(fields)).toEqual({ landing_page: 'http://[' });
  });

  const campaign = { utm_source: 'x' };
  test.each([
    ['a list', [{ campaign }]],
    ['a text', `","campaign":${JSON.stringify(campaign)}`],
    ['nothing', null],
    ['an object with a list of campaigns', { campaign: [campaign, 'utm_source', 'x'] }],
    ['an object with a deep campaign', { campaign: { campaign } }],
    [
      'an object with values that are no texts',
      { campaign: { utm_source: campaign, gclid: 7 }, page: [page] },
    ],
  ])('a context that is %s says nothing', (_, context) => {
    expect(attribution({ _context: context })).toEqual({});
  });

  test('names that objects have by nature mean nothing', () => {
    const json = `{"__proto__":{"_context":{"page":"${page}"},"utm_source":"x"},"_context":{"__proto__":{"campaign":{"gclid":"x"},"page":"${page}"},"constructor":{}}}`;
    expect(Object.fromEntries(read(json))).toEqual({});
  });

  test('of thousands of fields the first 200 are read, and 200 of what the script adds', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, '']));
    const _context = { ...many(198), campaign: { ...many(199), gclid: 'x' }, page };
    const found = { gclid: 'x', landing_page: page };
    expect(attribution({ ...many(199), utm_source: 'x', _context })).toEqual({ utm_source: 'x', ...found });
    expect(attribution({ ...many(5_000), utm_source: 'x', _context })).toEqual(found);
  });
});
