/**
 * Everything the scorer can say about a lead: one closed table, the only source of codes for settings, storage,
 * the API and the docs. `{evidence}` in a text is replaced by what was found. This file imports nothing, because
 * the contract reads it in the browser too.
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
  /** `risk` reasons add up to the risk; `score` reasons to fit and intent. */
  readonly axis: 'risk' | 'score';
  readonly points: number;
  /** A decisive rule may call a lead spam by itself, and no cap applies to it. */
  readonly decisive?: true;
  readonly text: string;
}

const risk = (family: RuleFamily, points: number, text: string) =>
  ({ family, axis: 'risk', points, text }) as const;
const decisive = (family: RuleFamily, points: number, text: string) =>
  ({ family, axis: 'risk', points, decisive: true, text }) as const;
const score = (family: RuleFamily, points: number, text: string) =>
  ({ family, axis: 'score', points, text }) as const;
/** The points of a cap are what it takes away, so the table cannot know them. */
const cap = (what: string) => risk('cap', 0, `Findings about ${what} count no more than this form allows.`);

const table = {
  EMAIL_INVALID: risk('email', 35, 'The e-mail address is not valid.'),
  EMAIL_RESERVED: risk('email', 20, 'The address uses {evidence}, a domain reserved for examples.'),
  EMAIL_TEST: risk('email', 35, 'The address {evidence} looks made up to try the form.'),
  EMAIL_DISPOSABLE: risk('email', 40, 'The address uses {evidence}, a throw-away mail service.'),
  EMAIL_DISPOSABLE_MX: risk(
    'email',
    35,
    'Mail to the address goes to {evidence}, a mail server of throw-away services.',
  ),
  EMAIL_DISPOSABLE_PROBABLE: risk('email', 20, 'The domain {evidence} looks much like throw-away domains.'),
  EMAIL_DISPOSABLE_LIKELY: risk('email', 12, 'The domain {evidence} resembles throw-away domains.'),
  EMAIL_TYPO: risk('email', 10, 'The domain of the address is probably meant to be {evidence}.'),
  EMAIL_LOCAL_GIBBERISH: risk('email', 15, 'The part before the @ looks like random letters.'),
  EMAIL_DOTS: risk('email', 20, 'The Gmail address is scattered with dots, as form bots do.'),
  EMAIL_NO_REPLY: risk('email', 20, 'The address is one that takes no answers.'),
  EMAIL_DIGITS: risk('email', 5, 'The part before the @ ends in a long run of digits.'),
  EMAIL_ROLE: risk('email', 2, 'The address belongs to a function ({evidence}), not to a person.'),

  NAME_GIBBERISH: risk('identity', 25, 'The name looks like random letters.'),
  NAME_GIBBERISH_ALL: risk('identity', 10, 'Several words of the name look like random letters.'),
  NAME_RANDOM_CASE: risk('identity', 20, 'The name mixes capitals at random.'),
  NAME_BOT: risk('identity', 18, 'The name is a first name with a random tail, as form bots use.'),
  NAME_EMAIL: risk('identity', 12, 'The name contains an e-mail address.'),
  NAME_DIGITS: risk('identity', 8, 'The name contains a run of digits.'),
  NAME_PLACEHOLDER: risk('identity', 12, 'The name is a placeholder ({evidence}).'),
  NAME_REPEATED: risk('identity', 8, 'First name, last name and company are the same.'),
  COMPANY_GIBBERISH: risk('identity', 8, 'The company looks like random letters.'),
  ALL_GIBBERISH: risk('identity', 20, 'All that was written looks like random letters.'),

  LINK_IN_NAME: risk('links', 30, 'A field that should hold no link contains one.'),
  LINKS_1: risk('links', 4, 'The lead contains a link.'),
  LINKS_2: risk('links', 10, 'The lead contains two links.'),
  LINKS_3: risk('links', 20, 'The lead contains at least three links.'),
  LINKS_6: risk('links', 30, 'The lead contains at least six links.'),
  LINK_SHORTENED: risk('links', 12, 'A link hides its target behind {evidence}.'),
  LINK_HOST_ODD: risk('links', 12, 'A link leads to {evidence}, not to an ordinary host name.'),
  LINK_TLD_CHEAP: risk('links', 8, 'A link leads to {evidence}, under a top-level domain that spam prefers.'),
  LINK_MARKUP: risk('links', 28, 'Links are written as markup, as comment spam does.'),
  LINK_IN_SPAM: risk('links', 12, 'A link stands in a text that reads like spam.'),
  LINK_MARKDOWN: risk('links', 8, 'A link is written in Markdown.'),
  LINK_ALONE: risk('links', 26, 'The message is a link and nothing else.'),
  LINKS_MOSTLY: risk('links', 20, 'The message is little more than links.'),

  LEAD_EMPTY: risk('content', 35, 'The lead has no filled field, or nothing but links.'),
  LEAD_READ_IN_PART: risk(
    'content',
    1,
    'Only the first {evidence} of this lead were judged. All of it is stored.',
  ),
  FIELD_MISSING: risk('content', 5, 'The required field "{evidence}" is missing or empty.'),
  TEXT_MODEL_STRONG: risk('content', 30, 'The wording is much like known spam.'),
  TEXT_MODEL_MEDIUM: risk('content', 16, 'The wording is like known spam.'),
  TEXT_MODEL_WEAK: risk('content', 7, 'The wording resembles known spam a little.'),
  PHRASES_SEO: risk('content', 24, 'The text offers search engine ranking ("{evidence}").'),
  PHRASES_TRAFFIC: risk('content', 24, 'The text offers visitors, followers or leads ("{evidence}").'),
  PHRASES_PITCH: risk('content', 16, 'The text sells a service to you ("{evidence}").'),
  PHRASES_BULK: risk('content', 24, 'The text offers or admits mass mailing ("{evidence}").'),
  PHRASES_GUEST_POST: risk('content', 24, 'The text asks for a guest post or a paid link ("{evidence}").'),
  PHRASES_MONEY: risk('content', 24, 'The text promises money, loans or crypto gains ("{evidence}").'),
  PHRASES_GAMBLING: risk('content', 24, 'The text advertises gambling ("{evidence}").'),
  PHRASES_PHARMA: risk('content', 24, 'The text advertises drugs or cures ("{evidence}").'),
  PHRASES_GOODS: risk('content', 24, 'The text advertises imitations, papers or cheap goods ("{evidence}").'),
  PHRASES_ADULT: risk('content', 24, 'The text advertises dating or adult content ("{evidence}").'),
  PHRASES_PRIZE: risk('content', 24, 'The text promises a prize or a gift ("{evidence}").'),
  PHRASES_ADVANCE_FEE: risk('content', 24, 'The text reads like an advance-fee fraud ("{evidence}").'),
  PHRASES_SOCIAL: risk('content', 22, 'The text begs for clicks or subscribers ("{evidence}").'),
  PHRASES_PRAISE: risk('content', 20, 'The text is praise from a comment template ("{evidence}").'),
  PHRASES_THREAT: risk('content', 24, 'The text threatens or extorts ("{evidence}").'),
  PHRASES_MANY: risk('content', 16, 'Many phrases of this kind stand in one text.'),
  TEXT_GIBBERISH: risk('content', 30, 'The text looks like random letters.'),
  TEXT_RANDOM_CASE: risk('content', 12, 'The text mixes capitals at random.'),
  TEXT_SPINTAX: risk('content', 25, 'The text holds left-overs of a text generator ("{evidence}").'),
  TEXT_SHOUTING: risk('content', 6, 'The text is written mostly in capitals.'),
  TEXT_HIDDEN_CHARACTERS: risk('content', 15, 'The text contains invisible characters.'),
  TEXT_MIXED_ALPHABETS: risk('content', 20, 'Words mix alphabets to look like others.'),
  TEXT_INJECTION: risk('content', 30, 'The text contains program code ("{evidence}").'),

  PHONE_LENGTH: risk('phone', 8, 'The phone number has {evidence} digits.'),
  PHONE_REPEATED: risk('phone', 10, 'The phone number is one digit over and over, or digits in order.'),
  PHONE_FICTITIOUS: risk('phone', 4, 'The phone number is reserved for fiction.'),
  PHONE_LETTERS: risk('phone', 8, 'The phone number contains letters.'),
  PHONE_INVALID: risk('phone', 6, 'No such phone number can exist.'),

  HONEYPOT_FILLED: decisive('behaviour', 100, 'A hidden field, which people do not see, was filled.'),
  SENT_INSTANTLY: risk('behaviour', 35, 'The form was sent {evidence} s after it was shown.'),
  SENT_FAST: risk('behaviour', 15, 'The form was sent only {evidence} s after it was shown.'),
  AGENT_BOT: risk('behaviour', 25, 'The form was sent by a program ({evidence}).'),

  REPEAT_BODY: risk('repeat', 25, 'The same lead came to this form a moment ago.'),
  REPEAT_FLOOD: decisive('repeat', 100, 'The same lead came to this form {evidence} times in a short time.'),
  REPEAT_NEAR: risk('repeat', 25, 'Nearly the same message came from another address.'),
  REPEAT_NEAR_MANY: risk('repeat', 45, 'Nearly the same message came from {evidence} other addresses.'),
  REPEAT_NEAR_FLOOD: decisive('repeat', 80, 'The same long message came from {evidence} other addresses.'),
  REPEAT_EMAIL: risk('repeat', 15, 'The same address sent {evidence} leads within an hour.'),
  REPEAT_NETWORK: risk(
    'repeat',
    15,
    'The same network sent {evidence} leads of other people within ten minutes.',
  ),
  REPEAT_NETWORK_MANY: risk(
    'repeat',
    30,
    'The same network sent {evidence} leads of other people within ten minutes.',
  ),

  LIST_ALLOWED: risk('tenant', -100, 'The address or its domain is on your allow list.'),
  LIST_BLOCKED: decisive('tenant', 100, 'The address or its domain is on your block list.'),
  KEYWORD: risk('tenant', 20, 'The lead contains "{evidence}", one of your keywords.'),

  CAP_EMAIL: cap('the e-mail address'),
  CAP_IDENTITY: cap('the name'),
  CAP_LINKS: cap('links'),
  CAP_CONTENT: cap('the text'),
  CAP_PHONE: cap('the phone number'),
  CAP_BEHAVIOUR: cap('how the form was sent'),
  CAP_REPEAT: cap('repetition'),
  CAP_TENANT: cap('your own lists'),

  FIT_BUSINESS_DOMAIN: score('fit', 35, 'The address belongs to a company domain.'),
  FIT_FREE_MAIL: score('fit', 10, 'The address belongs to a mail provider for everybody.'),
  FIT_INSTITUTION: score('fit', 25, 'The address belongs to a school, university or authority.'),
  FIT_DISPOSABLE: score('fit', -40, 'The address is made to be thrown away.'),
  FIT_FUNCTION_ADDRESS: score('fit', -5, 'The address belongs to a function, not to a person.'),
  FIT_COMPANY: score('fit', 15, 'A company is given.'),
  FIT_COMPANY_DOMAIN: score('fit', 10, 'The company matches the domain of the address.'),
  FIT_TITLE_TOP: score('fit', 20, 'The title is one of top management.'),
  FIT_TITLE_HEAD: score('fit', 15, 'The title is one of a head or director.'),
  FIT_TITLE_MANAGER: score('fit', 10, 'The title is one of a manager.'),
  FIT_TITLE_WANTED: score('fit', 15, 'The title is one you look for.'),
  FIT_COUNTRY_WANTED: score('fit', 10, 'The country is one you look for.'),
  FIT_COUNTRY_OTHER: score('fit', -20, 'The country is none of those you look for.'),
  FIT_PHONE: score('fit', 15, 'A plausible phone number is given.'),
  FIT_FULL_NAME: score('fit', 10, 'A full name is given.'),
  FIT_NAME_IN_EMAIL: score('fit', 5, 'The name matches the address.'),
  FIT_WEBSITE: score('fit', 5, 'A website is given.'),

  INTENT_MESSAGE: score('intent', 30, 'There is a message of a useful length.'),
  INTENT_WORDS: score('intent', 35, 'The message asks for an offer, a demo or a price.'),
  INTENT_QUESTION: score('intent', 10, 'The message asks a question.'),
  INTENT_NUMBERS: score('intent', 15, 'The message gives a number: budget, team size or date.'),
  INTENT_PAID_CLICK: score('intent', 10, 'The lead came from a paid click.'),
  INTENT_PRICING_PAGE: score('intent', 15, 'The lead came from a page about prices.'),
  INTENT_ELSEWHERE: score('intent', -30, 'The message is about a job, the press or support.'),
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
