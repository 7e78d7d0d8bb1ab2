import { getDomain } from 'tldts';
import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { Channel } from '../../../domain/enrichment/vocabulary.ts';
import { clickIds, type ExtraKind } from '../../reading/extras.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';
import { channelOf } from './channels.ts';

const utmKinds = ['source', 'medium', 'campaign', 'term', 'content'] as const;
const urlCharactersMax = 4_000;

export interface Visit {
  readonly source: string | undefined;
  readonly medium: string | undefined;
  readonly clickId: string | undefined;
  readonly referrerDomain: string | null;
}

/** Campaign parameters come as fields of their own, or in the address of the page the form was on. */
export const attribution: BuiltinProvider = {
  id: 'attribution',
  version: providerVersions.attribution,
  phase: 'builtin',
  text: 'Campaign parameters, click id, landing page and referrer, and the channel they add up to.',
  enrich({ extras }) {
    const landing = readUrl(extras.get('landing'));
    const referrer = readUrl(extras.get('referrer'));
    const given = (kind: ExtraKind, parameter: string) =>
      extras.get(kind) ?? (landing?.searchParams.get(parameter) || undefined);
    const fields: FieldValue[] = [];
    const say = (path: string, value: string | null | undefined, method: FieldValue['method']) => {
      if (value) fields.push({ path: `attribution.${path}`, value, confidence: 1, method });
    };
    for (const kind of utmKinds) say(kind, given(kind, `utm_${kind}`), 'normalised');
    const clickId = clickIds.find((id) => given(id, id) !== undefined);
    if (clickId !== undefined) {
      say('click_id.type', clickId, 'normalised');
      say('click_id.value', given(clickId, clickId), 'normalised');
    }
    say('landing_path', landing?.pathname, 'normalised');
    const referrerDomain = referrer === null ? null : registrable(referrer);
    // A page of the same site that led to the form is no referrer.
    const isOwn = landing !== null && referrerDomain === registrable(landing);
    if (!isOwn) say('referrer_domain', referrerDomain, 'normalised');
    const channel = channelIn({
      source: given('source', 'utm_source'),
      medium: given('medium', 'utm_medium'),
      clickId,
      referrerDomain: isOwn ? null : referrerDomain,
      isKnown: landing !== null || extras.has('referrer') || fields.length > 0,
    });
    if (channel !== null)
      fields.push({ path: 'attribution.channel', value: channel, confidence: 0.85, method: 'derived' });
    return fields;
  },
};

/** Without any trace of the visit there is no telling how the person came. */
function channelIn({ isKnown, ...visit }: Visit & { readonly isKnown: boolean }): Channel | null {
  return isKnown ? channelOf(visit) : null;
}

function readUrl(text: string | undefined): URL | null {
  if (text === undefined || text.length > urlCharactersMax || !/^https?:/i.test(text)) return null;
  return URL.canParse(text) ? new URL(text) : null;
}

function registrable(url: URL): string {
  return getDomain(url.hostname) ?? url.hostname;
}
