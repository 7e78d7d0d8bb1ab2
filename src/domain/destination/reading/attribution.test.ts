import { expect, test } from 'vitest';
import { membersOf } from '../../json/json-text.ts';
import { attributionOf } from './attribution.ts';

function attribution(fields: object) {
  return Object.fromEntries(attributionOf(membersOf(JSON.stringify(fields))));
}

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

test('a parameter that is not a field comes from the landing page', () => {
  const page = 'https://shop.example/a?utm_source=bing&msclkid=7&utm_medium=';
  expect(attribution({ landing_page: page, utm_source: 'newsletter' })).toEqual({
    utm_source: 'newsletter',
    msclkid: '7',
    landing_page: page,
  });
});

test('what is no text, empty or very long is left out', () => {
  const fields = { utm_source: 7, utm_term: '', utm_content: 'x'.repeat(100_000), landing: 'http://[' };
  expect(attribution(fields)).toEqual({ landing_page: 'http://[' });
});
