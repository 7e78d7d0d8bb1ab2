import { countryOf } from '../../reading/countries.ts';
import type { FieldValue } from '../provider.ts';
import { findOrganization, linkAt, nodeAt, textAt, textsAt } from './json-ld.ts';
import type { Page } from './page.ts';

const socialHosts: readonly (readonly [string, RegExp])[] = [
  ['linkedin', /^https?:\/\/(?:\w{2,3}\.)?linkedin\.com\/(?:company|school|showcase)\/[^/?#]+/i],
  ['x', /^https?:\/\/(?:www\.)?(?:x|twitter)\.com\/(?!(?:share|intent|home|hashtag|search)\b)\w+/i],
  ['facebook', /^https?:\/\/(?:www\.|\w{2}-\w{2}\.)?facebook\.com\/(?!sharer|share|dialog|tr\b)[^/?#]+/i],
  ['instagram', /^https?:\/\/(?:www\.)?instagram\.com\/(?!p\/|explore)[^/?#]+/i],
  ['youtube', /^https?:\/\/(?:www\.)?youtube\.com\/(?:@|c\/|channel\/|user\/)[^/?#]+/i],
  ['github', /^https?:\/\/(?:www\.)?github\.com\/[\w-]+\/?$/i],
  ['xing', /^https?:\/\/(?:www\.)?xing\.com\/(?:companies|pages)\/[^/?#]+/i],
];
const urlCharactersMax = 2_000;

type Say = (path: string, value: string | string[] | null | undefined, confidence: number) => void;

/** What a home page says about its company: structured data first, then preview tags. */
export function factsOfPage(page: Page, url: URL): FieldValue[] {
  const fields: FieldValue[] = [];
  const say =
    (method: FieldValue['method']): Say =>
    (path, value, confidence) => {
      if (value != null && value.length > 0)
        fields.push({ path: `company.${path}`, value, confidence, method, source: url.href });
    };
  sayOrganization(page, url, say('json_ld'));
  sayMeta(page, url, say('meta'));
  return fields;
}

function sayOrganization(page: Page, url: URL, say: Say): void {
  const organization = findOrganization(page.jsonLd);
  if (organization === null) return;
  say('name', textAt(organization, 'name'), 0.9);
  say('legal_name', textAt(organization, 'legalName'), 0.9);
  say('description', textAt(organization, 'description'), 0.85);
  say('logo', absolute(linkAt(organization, 'logo'), url), 0.9);
  say('phones', textsAt(organization, 'telephone'), 0.8);
  const address = nodeAt(organization, 'address');
  if (address !== null) {
    const country = nodeAt(address, 'addressCountry');
    const name = country === null ? textAt(address, 'addressCountry') : textAt(country, 'name');
    say('country', countryOf(name ?? undefined), 0.85);
    say('city', textAt(address, 'addressLocality'), 0.85);
  }
  saySocials(textsAt(organization, 'sameAs'), say, 0.9);
}

function sayMeta(page: Page, url: URL, say: Say): void {
  const { meta } = page;
  say('name', meta.get('og:site_name') ?? meta.get('application-name'), 0.7);
  say('name', titleName(page.title), 0.45);
  say('description', meta.get('description') ?? meta.get('og:description'), 0.7);
  const touchIcon = page.icons.find(({ rel }) => rel === 'apple-touch-icon') ?? page.icons[0];
  say('logo', absolute(touchIcon?.href ?? null, url), 0.5);
  say('website', url.origin, 0.8);
  say('tech', meta.get('generator'), 0.7);
  saySocials(page.links, say, 0.7);
}

function saySocials(links: readonly string[], say: Say, confidence: number): void {
  for (const [name, shape] of socialHosts) {
    const link = links.find((candidate) => candidate.length <= urlCharactersMax && shape.test(candidate));
    say(`socials.${name}`, link, confidence);
  }
}

/** A title is often "Acme – tools for all" or "Home | Acme": takes the shortest part that is not a greeting. */
function titleName(title: string): string | null {
  const parts = title
    .split(/\s[|–—·:-]\s/)
    .map((part) => part.trim())
    .filter(
      (part) => part !== '' && !/^(?:home|homepage|start|startseite|accueil|inicio|welcome.*)$/i.test(part),
    );
  return parts.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

function absolute(link: string | null, base: URL): string | null {
  if (link === null || link.length > urlCharactersMax || !URL.canParse(link, base.href)) return null;
  return new URL(link, base).href;
}
