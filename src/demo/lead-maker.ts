import type { Random } from '../time/random.ts';
import {
  campaigns,
  type DemoForm,
  firms,
  firstNames,
  jobTitles,
  lastNames,
  privateDomains,
  spamTexts,
} from './cast.ts';

const spamShare = 0.07;
const doubtfulShare = 0.05;
const businessShare = 0.6;

/** A lead as the form would send it: mostly good, some suspect, a little spam. */
export function makeLead(form: DemoForm, random: Random): Record<string, unknown> {
  if (random.chance(spamShare)) return spamLead(random);
  const lead = usualLead(form, random);
  // Someone who asks a good question but hides their identity.
  return random.chance(doubtfulShare)
    ? { ...lead, email: `${random.pick(firstNames)}@mailinator.com` }
    : lead;
}

function usualLead(form: DemoForm, random: Random): Record<string, unknown> {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const [company, domain] = random.pick(firms);
  const isBusiness = random.chance(businessShare);
  const mailbox = `${first}.${last}${isBusiness ? '' : random.integer(1, 99)}`.toLowerCase();
  return {
    name: `${first} ${last}`,
    email: `${mailbox}@${isBusiness ? domain : random.pick(privateDomains)}`,
    ...(isBusiness ? { company, job_title: random.pick(jobTitles) } : {}),
    ...(random.chance(0.7) ? { phone: `+49 30 ${random.integer(2_000_000, 8_999_999)}` } : {}),
    message: random.pick(form.topics),
    ...(random.chance(0.5)
      ? { utm_source: 'google', utm_medium: 'cpc', utm_campaign: random.pick(campaigns) }
      : {}),
  };
}

function spamLead(random: Random): Record<string, unknown> {
  const gibberish = Array.from({ length: 10 }, () => String.fromCharCode(random.integer(97, 122))).join('');
  return {
    name: random.chance(0.5) ? gibberish : random.pick(firstNames),
    email: `${gibberish}@mailinator.com`,
    message: random.pick(spamTexts),
  };
}
