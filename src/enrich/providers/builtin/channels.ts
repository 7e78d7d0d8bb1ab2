import type { Channel } from '../../../domain/enrichment/vocabulary.ts';
import type { ClickId } from '../../reading/extras.ts';
import type { Visit } from './attribution.ts';

const channelByClickId: Record<ClickId, Channel> = {
  gclid: 'paid_search',
  gbraid: 'paid_search',
  wbraid: 'paid_search',
  msclkid: 'paid_search',
  // Facebook adds its id to every link, also to those nobody paid for.
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

/** How the person came, from what the campaign says of itself, then from the click id, then from the referrer. */
export function channelOf({ source, medium, clickId, referrerDomain }: Visit): Channel {
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

/** `www.google.co.uk`, `google.com` and `google` are one name. */
function nameOf(from: string): string {
  const labels = from.replace(/^(?:www|m|l|lm|out|search)\./, '').split('.');
  return labels[0] ?? '';
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
