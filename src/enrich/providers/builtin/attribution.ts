import { getDomain } from 'tldts';
import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { Channel } from '../../../domain/enrichment/vocabulary.ts';
import { type ClickId, clickIds } from '../../../domain/lead/attribution.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';

const utmKinds = ['source', 'medium', 'campaign', 'term', 'content'] as const;

interface Visit {
  readonly source: string | undefined;
  readonly medium: string | undefined;
  readonly clickId: string | undefined;
  readonly referrerDomain: string | null;
}

export const attribution: BuiltinProvider = {
  id: 'attribution',
  version: providerVersions.attribution,
  phase: 'builtin',
  text: 'Campaign parameters, click ID, landing page and referrer, and the resulting channel.',
  enrich({ attribution: given }) {
    const landing = readUrl(given.get('landing_page'));
    const referrer = readUrl(given.get('referrer'));
    const fields: FieldValue[] = [];
    const say = (path: string, value: string | null | undefined) => {
      if (value) fields.push({ path: `attribution.${path}`, value, confidence: 1, method: 'normalised' });
    };
    for (const kind of utmKinds) say(kind, given.get(`utm_${kind}`));
    const clickId = clickIds.find((id) => given.has(id));
    if (clickId !== undefined) {
      say('click_id.type', clickId);
      say('click_id.value', given.get(clickId));
    }
    say('landing_path', landing?.pathname);
    const referrerDomain = referrer === null ? null : registrable(referrer);
    // A page of the same site does not count as the referrer.
    const isOwn = landing !== null && referrerDomain === registrable(landing);
    if (!isOwn) say('referrer_domain', referrerDomain);
    const channel = channelIn({
      source: given.get('utm_source'),
      medium: given.get('utm_medium'),
      clickId,
      referrerDomain: isOwn ? null : referrerDomain,
      isKnown: landing !== null || given.has('referrer') || fields.length > 0,
    });
    if (channel !== null)
      fields.push({ path: 'attribution.channel', value: channel, confidence: 0.85, method: 'derived' });
    return fields;
  },
};

/** Without any trace of the visit, the channel is unknown. */
function channelIn({ isKnown, ...visit }: Visit & { readonly isKnown: boolean }): Channel | null {
  return isKnown ? channelOf(visit) : null;
}

function readUrl(text: string | undefined): URL | null {
  if (text === undefined || !/^https?:/i.test(text)) return null;
  return URL.parse(text);
}

function registrable(url: URL): string {
  return getDomain(url.hostname) ?? url.hostname;
}

const channelByClickId: Record<ClickId, Channel> = {
  gclid: 'paid_search',
  gbraid: 'paid_search',
  wbraid: 'paid_search',
  msclkid: 'paid_search',
  // Facebook adds its ID to every link, even to unpaid ones.
  fbclid: 'organic_social',
  li_fat_id: 'paid_social',
  ttclid: 'paid_social',
  twclid: 'paid_social',
  dclid: 'display',
};

const searchNames = set(
  'google bing yahoo duckduckgo ecosia baidu yandex qwant startpage brave naver seznam',
);
const socialNames = set(
  'facebook fb instagram ig linkedin li twitter x t tiktok youtube pinterest reddit xing meta snapchat vk threads lnkd',
);
const paidMedium = /^(?:cpc|ppc|cpm|cpv|cpa|paid.*|sem|sea|ads?|retargeting)$/;
const displayMedium = /^(?:display|banner|expandable|interstitial|cpm)$/;
const socialMedium = /^(?:social.*|sm|organic[-_ ]?social)$/;
const emailMedium = /^(?:e[-_ ]?mail|newsletter|mailing)$/;

/** The channel, from the campaign parameters, then the click ID, then the referrer. */
function channelOf({ source, medium, clickId, referrerDomain }: Visit): Channel {
  const from = source?.toLowerCase() ?? referrerDomain ?? '';
  const how = medium?.toLowerCase().trim() ?? '';
  const isSocial = socialNames.has(nameOf(from));
  if (displayMedium.test(how)) return 'display';
  if (paidMedium.test(how)) return isSocial || how.includes('social') ? 'paid_social' : 'paid_search';
  if (emailMedium.test(how) || /^(?:e-?mail|newsletter)$/.test(from)) return 'email';
  if (how === 'affiliate' || how === 'affiliates') return 'affiliate';
  if (socialMedium.test(how)) return 'organic_social';
  if (how === 'organic') return isSocial ? 'organic_social' : 'organic_search';
  if (how === 'referral') return isSocial ? 'organic_social' : 'referral';
  if (clickId !== undefined) return channelByClickId[clickId as ClickId];
  if (how !== '') return 'other';
  if (isSocial) return 'organic_social';
  if (searchNames.has(nameOf(from))) return 'organic_search';
  if (source !== undefined) return 'other';
  return referrerDomain === null ? 'direct' : 'referral';
}

/** `www.google.co.uk`, `google.com` and `google` are the same name. */
function nameOf(from: string): string {
  const labels = from.replace(/^(?:www|m|l|lm|out|search)\./, '').split('.');
  return labels[0] ?? '';
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
