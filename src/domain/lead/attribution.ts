/** What ad networks add to the URL of a landing page, so that they recognise their click. */
export const clickIds = [
  'gclid',
  'gbraid',
  'wbraid',
  'msclkid',
  'fbclid',
  'li_fat_id',
  'ttclid',
  'twclid',
  'dclid',
] as const;
export type ClickId = (typeof clickIds)[number];

/** How forms spell the fields that say where a visitor came from: only letters, in lower case. */
export const attributionSpellings = {
  referrer: 'referrer referer httpreferrer pagereferrer',
  landing: 'landingpage landingurl landing pageurl pageuri page entrypage',
  source: 'utmsource',
  medium: 'utmmedium',
  campaign: 'utmcampaign',
  term: 'utmterm',
  content: 'utmcontent',
} as const;
