/**
 * Everything the scorer can say about a lead: one closed table, the only source of codes for settings, storage,
 * the API and the docs. `{evidence}` in a text is replaced with what was found. This file imports nothing, because
 * the contract also uses it in the browser.
 */
export type RuleFamily =
  | 'email'
  | 'identity'
  | 'links'
  | 'content'
  | 'phone'
  | 'behaviour'
  | 'repeat'
  | 'tenant'
  | 'cap'
  | 'fit'
  | 'intent';

export interface Rule {
  readonly code: string;
  readonly family: RuleFamily;
  /** `risk` reasons add up to the risk, `score` reasons to fit and intent. */
  readonly axis: 'risk' | 'score';
  readonly points: number;
  /** A decisive rule can make a lead spam on its own, and no cap applies to it. */
  readonly decisive?: true;
  readonly text: string;
  /** What to say of a lead that could have these points and does not. Only rules that raise fit or intent have it. */
  readonly missing?: string;
}

const risk = (family: RuleFamily, points: number, text: string) =>
  ({ family, axis: 'risk', points, text }) as const;
const decisive = (family: RuleFamily, points: number, text: string) =>
  ({ family, axis: 'risk', points, decisive: true, text }) as const;
const merit = (family: 'fit' | 'intent', points: number, text: string, missing: string) =>
  ({ family, axis: 'score', points, text, missing }) as const;
const demerit = (family: 'fit' | 'intent', points: number, text: string) =>
  ({ family, axis: 'score', points, text }) as const;
/** A cap subtracts whatever is above it, so its points are not known here. */
const cap = (what: string) => risk('cap', 0, `${what} points capped at this form's limit`);

const table = {
  EMAIL_INVALID: risk('email', 35, 'Invalid email address: {evidence}'),
  EMAIL_RESERVED: risk('email', 20, 'Domain reserved for examples: {evidence}'),
  EMAIL_TEST: risk('email', 35, 'Looks like a test address: {evidence}'),
  EMAIL_DISPOSABLE: risk('email', 40, 'Email domain listed as disposable: {evidence}'),
  EMAIL_DISPOSABLE_MX: risk('email', 35, 'Mail server of disposable email services: {evidence}'),
  EMAIL_FREE_SUBDOMAIN: risk('email', 30, 'Free subdomain instead of a registered domain: {evidence}'),
  EMAIL_DOMAIN_UNUSUAL: risk(
    'email',
    30,
    'Unusual email domain; check that it belongs to the sender: {evidence}',
  ),
  EMAIL_DISPOSABLE_PROBABLE: risk('email', 27, 'Unusual email domain: {evidence}'),
  EMAIL_DISPOSABLE_LIKELY: risk('email', 12, 'Slightly unusual email domain: {evidence}'),
  EMAIL_TYPO: risk('email', 10, 'Misspelt email domain, probably {evidence}'),
  EMAIL_LOCAL_GIBBERISH: risk('email', 15, 'Random letters before the @: "{evidence}"'),
  EMAIL_DOTS: risk('email', 20, 'Gmail address full of dots, typical of form bots'),
  EMAIL_NO_REPLY: risk('email', 20, 'No-reply address'),
  EMAIL_DIGITS: risk('email', 5, 'Long run of digits before the @'),
  EMAIL_ROLE: risk('email', 2, 'Role address, not a person: {evidence}'),

  NAME_GIBBERISH: risk('identity', 25, 'Name looks like random letters: "{evidence}"'),
  NAME_GIBBERISH_ALL: risk(
    'identity',
    10,
    'Several words of the name look like random letters: "{evidence}"',
  ),
  NAME_RANDOM_CASE: risk('identity', 20, 'Random capitals in the name: "{evidence}"'),
  NAME_BOT: risk(
    'identity',
    18,
    'First name with random letters appended, typical of form bots: "{evidence}"',
  ),
  NAME_EMAIL: risk('identity', 12, 'Email address in the name'),
  NAME_DIGITS: risk('identity', 8, 'Run of digits in the name'),
  NAME_PLACEHOLDER: risk('identity', 12, 'Placeholder name: {evidence}'),
  NAME_REPEATED: risk('identity', 8, 'First name, last name and company are the same'),
  COMPANY_GIBBERISH: risk('identity', 8, 'Company looks like random letters: "{evidence}"'),
  LOOKS_LIKE_TEST: risk('identity', 30, 'Looks like a test: "{evidence}"'),
  ALL_GIBBERISH: risk('identity', 20, 'Everything in the lead looks like random letters: "{evidence}"'),

  LINK_IN_NAME: risk('links', 30, 'Link in a field that should not contain one: {evidence}'),
  LINKS_1: risk('links', 4, 'Contains a link: {evidence}'),
  LINKS_2: risk('links', 8, 'Contains two or more links: {evidence}'),
  LINKS_3: risk('links', 14, 'Three or more links and little text: {evidence}'),
  LINKS_6: risk('links', 18, 'Six or more links and little text: {evidence}'),
  LINK_SHORTENED: risk('links', 18, 'Shortened link: {evidence}'),
  LINK_CHAT: risk('links', 6, 'Link to a chat or group: {evidence}'),
  LINK_HOST_ODD: risk('links', 12, 'Host of a link written in an unusual way: {evidence}'),
  LINK_HOST_NUMBER: risk('links', 22, 'Link to a bare IP address: {evidence}'),
  LINK_HOST_DISGUISED: risk('links', 26, 'Link that hides its host behind another name: {evidence}'),
  LINK_HOST_SHARED: risk('links', 14, 'Link to free hosting, where anyone gets a page: {evidence}'),
  LINK_HOST_BUILDER: risk('links', 4, 'Link to a page at a site builder: {evidence}'),
  LINK_HOST_SHAPE: risk('links', 14, 'Link to a host with an unusual name: {evidence}'),
  LINK_HOST_BAIT: risk('links', 22, 'Link to a host with a name typical of spam: {evidence}'),
  LINK_HOST_BRAND: risk('links', 26, 'Link to a host that borrows the name of a brand: {evidence}'),
  LINK_TLD_CHEAP: risk('links', 8, 'Link under a top-level domain common in spam: {evidence}'),
  LINK_PATH_RANDOM: risk('links', 5, 'Link that is only a code: {evidence}'),
  LINK_PATH_TRAP: risk(
    'links',
    10,
    'Link to a program, a hidden folder or a page made for one reader: {evidence}',
  ),
  LINK_ELSEWHERE: risk('links', 2, "Link to another domain than the sender's: {evidence}"),
  LINK_BRAND_ELSEWHERE: risk('links', 8, 'Text names a brand, but its link leads elsewhere: {evidence}'),
  LINK_MARKUP: risk('links', 28, 'Links written as HTML or BBCode, typical of comment spam: {evidence}'),
  LINK_MARKUP_LONG: risk('links', 10, 'Links written as HTML or BBCode in a long text: {evidence}'),
  LINK_IN_SPAM: risk('links', 8, 'Link in text that reads like spam: {evidence}'),
  LINK_IN_DOUBT: risk('links', 12, 'Link beside words common in unwanted messages: {evidence}'),
  LINK_IN_LURE: risk('links', 22, 'Bait with a link to a doubtful host: {evidence}'),
  LINK_SHORT_TEXT: risk('links', 8, 'Little text beside a link to a doubtful host: {evidence}'),
  LINK_MARKDOWN: risk('links', 8, 'Link written in Markdown: {evidence}'),
  LINK_ALONE: risk('links', 26, 'Message is only a link: {evidence}'),
  LINKS_MOSTLY: risk('links', 14, 'Message is mostly links: {evidence}'),

  LEAD_EMPTY: risk('content', 35, 'No field filled in, or nothing but links'),
  LEAD_READ_IN_PART: risk('content', 1, 'Only the first {evidence} were scored; the whole lead is stored'),
  FIELD_MISSING: risk('content', 5, 'Required field missing or empty: {evidence}'),
  WORDING_SALES: risk('content', 30, 'Reads like a sales pitch: {evidence}'),
  WORDING_FRAUD: risk('content', 30, 'Reads like fraud or bait: {evidence}'),
  WORDING_ADVERT: risk('content', 30, 'Reads like advertising: {evidence}'),
  WORDING_DOUBTFUL: risk('content', 14, 'Some words common in unwanted messages: {evidence}'),
  PHRASES_SEO: risk('content', 24, 'Offers search engine ranking: "{evidence}"'),
  PHRASES_TRAFFIC: risk('content', 24, 'Offers visitors, followers or leads: "{evidence}"'),
  PHRASES_BULK: risk('content', 24, 'Mass mailing: "{evidence}"'),
  PHRASES_GUEST_POST: risk('content', 24, 'Asks for a guest post or paid link: "{evidence}"'),
  PHRASES_LURE: risk('content', 24, 'Bait such as a parcel, an account or a claim: "{evidence}"'),
  PHRASES_CRYPTO: risk('content', 24, 'Promises gains with crypto or trading: "{evidence}"'),
  PHRASES_MONEY: risk('content', 24, 'Promises money, loans or easy work: "{evidence}"'),
  PHRASES_GAMBLING: risk('content', 24, 'Advertises gambling: "{evidence}"'),
  PHRASES_PHARMA: risk('content', 24, 'Advertises drugs or cures: "{evidence}"'),
  PHRASES_GOODS: risk('content', 24, 'Advertises replicas, fake documents or cheap goods: "{evidence}"'),
  PHRASES_ADULT: risk('content', 24, 'Advertises dating or adult content: "{evidence}"'),
  PHRASES_PRIZE: risk('content', 24, 'Promises a prize or gift: "{evidence}"'),
  PHRASES_ADVANCE_FEE: risk('content', 24, 'Reads like advance-fee fraud: "{evidence}"'),
  PHRASES_SOCIAL: risk('content', 22, 'Asks for clicks or subscribers: "{evidence}"'),
  PHRASES_PRAISE: risk('content', 20, 'Praise from a comment spam template: "{evidence}"'),
  PHRASES_THREAT: risk('content', 24, 'Threat or extortion: "{evidence}"'),
  PHRASES_MANY: risk('content', 16, 'Several phrases of spam in one text: "{evidence}"'),
  TEXT_GIBBERISH: risk('content', 30, 'Text looks like random letters: "{evidence}"'),
  TEXT_RANDOM_CASE: risk('content', 12, 'Random capitals in the text: "{evidence}"'),
  TEXT_SPINTAX: risk('content', 25, 'Leftover syntax of a text generator: "{evidence}"'),
  TEXT_SHOUTING: risk('content', 6, 'Text mostly in capitals'),
  TEXT_HIDDEN_CHARACTERS: risk('content', 15, 'Invisible characters in the text: {evidence}'),
  TEXT_MIXED_ALPHABETS: risk('content', 20, 'Word with lookalike letters of another alphabet: "{evidence}"'),
  TEXT_INJECTION: risk('content', 30, 'Program code in the text: "{evidence}"'),

  PHONE_LENGTH: risk('phone', 8, 'Phone number with {evidence} digits'),
  PHONE_REPEATED: risk('phone', 10, 'Phone number of repeated or consecutive digits'),
  PHONE_FICTITIOUS: risk('phone', 4, 'Phone number reserved for fiction'),
  PHONE_LETTERS: risk('phone', 8, 'Letters in the phone number'),
  PHONE_INVALID: risk('phone', 6, 'Impossible phone number'),

  HONEYPOT_FILLED: decisive('behaviour', 100, 'Hidden honeypot field filled in'),
  SENT_INSTANTLY: risk('behaviour', 35, 'Form submitted instantly, {evidence} s after it was shown'),
  SENT_FAST: risk('behaviour', 15, 'Form submitted quickly, {evidence} s after it was shown'),
  AGENT_BOT: risk('behaviour', 25, 'Form submitted by a program: {evidence}'),
  BROWSER_AUTOMATED: risk('behaviour', 25, 'Web page opened by a browser under the control of a program'),
  BROWSER_WORK_FAST: risk('behaviour', 5, 'Challenge solved faster than any device can'),
  BROWSER_UNPROVEN: risk('behaviour', 15, 'Web page sent the form without script, so without a challenge'),

  REPEAT_BODY: risk('repeat', 25, 'Same lead received {evidence} times within 6 hours'),
  REPEAT_FLOOD: decisive('repeat', 100, 'Flood: same lead received {evidence} times within 6 hours'),
  REPEAT_NEAR: risk('repeat', 15, 'Nearly the same message from other people within 6 hours: {evidence}'),
  REPEAT_NEAR_MANY: risk(
    'repeat',
    45,
    'Similar messages from {evidence} other people; varied by a program, or from a template of the form',
  ),
  REPEAT_NEAR_FLOOD: risk(
    'repeat',
    30,
    'The same text from {evidence} other people; the form may fill it in',
  ),
  REPEAT_VARIED: risk('repeat', 30, '{evidence} variants of one message from the same person within 6 hours'),
  REPEAT_EMAIL: risk('repeat', 15, '{evidence} leads from the same address within an hour'),
  REPEAT_NETWORK: risk(
    'repeat',
    15,
    '{evidence} leads by other people from the same network within ten minutes',
  ),
  REPEAT_NETWORK_MANY: risk(
    'repeat',
    30,
    '{evidence} leads by other people from the same network within ten minutes',
  ),

  LIST_ALLOWED: risk('tenant', -100, 'Address or domain on your allow list'),
  LIST_BLOCKED: decisive('tenant', 100, 'Address or domain on your block list'),
  KEYWORD: risk('tenant', 20, 'Contains your keyword "{evidence}"'),
  LEARNED_SPAM: risk('tenant', 20, 'Similar to leads you marked as spam: {evidence}'),
  LEARNED_WANTED: risk('tenant', -20, 'Similar to leads you marked as not spam: {evidence}'),

  CAP_EMAIL: cap('Email'),
  CAP_IDENTITY: cap('Name'),
  CAP_LINKS: cap('Link'),
  CAP_CONTENT: cap('Text'),
  CAP_PHONE: cap('Phone'),
  CAP_BEHAVIOUR: cap('Behaviour'),
  CAP_REPEAT: cap('Repetition'),
  CAP_TENANT: cap('List'),

  FIT_BUSINESS_DOMAIN: merit('fit', 35, 'Company email domain', 'No company email address'),
  FIT_FREE_MAIL: merit('fit', 10, 'Free email provider', 'No address at a free email provider'),
  FIT_INSTITUTION: merit(
    'fit',
    25,
    'School, university or government address',
    'No school, university or government address',
  ),
  FIT_DISPOSABLE: demerit('fit', -40, 'Disposable email address'),
  FIT_FUNCTION_ADDRESS: demerit('fit', -5, 'Role address, not a person'),
  FIT_COMPANY: merit('fit', 15, 'Company given', 'No company'),
  FIT_COMPANY_DOMAIN: merit(
    'fit',
    10,
    'Company matches the email domain',
    'Company does not match the email domain',
  ),
  FIT_TITLE_TOP: merit('fit', 20, 'Top management title', 'No top management title'),
  FIT_TITLE_HEAD: merit('fit', 15, 'Head or director title', 'No head or director title'),
  FIT_TITLE_MANAGER: merit('fit', 10, 'Manager title', 'No manager title'),
  FIT_TITLE_WANTED: merit('fit', 15, 'Job title you are looking for', 'No job title you are looking for'),
  FIT_COUNTRY_WANTED: merit(
    'fit',
    10,
    'Country you are looking for',
    'Not from a country you are looking for',
  ),
  FIT_COUNTRY_OTHER: demerit('fit', -20, 'Country you are not looking for'),
  FIT_PHONE: merit('fit', 15, 'Plausible phone number given', 'No plausible phone number'),
  FIT_FULL_NAME: merit('fit', 10, 'Full name given', 'No full name'),
  FIT_NAME_IN_EMAIL: merit(
    'fit',
    5,
    'Name matches the email address',
    'Name does not match the email address',
  ),
  FIT_WEBSITE: merit('fit', 5, 'Website given', 'No website'),

  INTENT_MESSAGE: merit('intent', 30, 'Message of a useful length', 'No message of a useful length'),
  INTENT_WORDS: merit(
    'intent',
    35,
    'Asks for an offer, a demo or a price',
    'Does not ask for an offer, a demo or a price',
  ),
  INTENT_QUESTION: merit('intent', 10, 'Asks a question', 'No question'),
  INTENT_NUMBERS: merit(
    'intent',
    15,
    'Mentions a number, such as a budget, team size or date',
    'No number, such as a budget, team size or date',
  ),
  INTENT_PAID_CLICK: merit('intent', 10, 'Came from a paid click', 'Not from a paid click'),
  INTENT_PRICING_PAGE: merit('intent', 15, 'Came from a pricing page', 'Not from a pricing page'),
  INTENT_ELSEWHERE: demerit('intent', -30, 'About a job, the press or support'),
} satisfies Record<string, Omit<Rule, 'code'>>;

export type RuleCode = keyof typeof table;
const ruleCodes = Object.keys(table) as readonly RuleCode[];
export const rules: readonly (Rule & { readonly code: RuleCode })[] = ruleCodes.map((code) => ({
  code,
  ...table[code],
}));

const indexByCode = new Map<string, number>(ruleCodes.map((code, index) => [code, index]));

/** The place of a rule in the table; -1 for a code that is not in it. */
export function ruleIndex(code: string): number {
  return indexByCode.get(code) ?? -1;
}

export function ruleOf(code: string): Rule | null {
  return rules[ruleIndex(code)] ?? null;
}
