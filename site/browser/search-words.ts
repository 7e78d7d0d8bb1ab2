/** Synonyms: the words that people search for, and the words that the pages use. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  '401': ['unauthorized', 'wrong_credentials'],
  '403': ['forbidden', 'cross_site'],
  '429': ['limit', 'too_many_calls'],
  alert: ['alarm', 'metric'],
  auth: ['authentication', 'token', 'signature'],
  browser: ['html', 'form'],
  bot: ['spam', 'honeypot'],
  caddy: ['proxy'],
  certificate: ['tls', 'proxy'],
  container: ['docker'],
  crash: ['outage', 'spool'],
  dedupe: ['idempotency'],
  deduplicate: ['idempotency'],
  deduplication: ['idempotency'],
  delete: ['erase'],
  deploy: ['install'],
  downgrade: ['rollback', 'upgrade'],
  downtime: ['outage', 'spool'],
  dump: ['backup'],
  duplicate: ['idempotency', 'repeat'],
  env: ['configuration'],
  environment: ['configuration'],
  error: ['problem', 'code'],
  faq: ['troubleshooting'],
  gdpr: ['erase', 'export'],
  grafana: ['dashboard', 'metric'],
  haproxy: ['proxy'],
  hmac: ['signature', 'signing'],
  https: ['tls', 'proxy'],
  idempotent: ['idempotency'],
  k8s: ['docker', 'instance'],
  kubernetes: ['docker', 'instance'],
  login: ['sign', 'password'],
  monitor: ['metric', 'alarm'],
  nginx: ['proxy'],
  observability: ['metric', 'alarm'],
  paginate: ['cursor', 'pagination'],
  pagination: ['cursor', 'page'],
  paging: ['cursor', 'pagination'],
  prometheus: ['metric'],
  quota: ['limit'],
  refuse: ['reject', 'reason'],
  decline: ['reject', 'reason'],
  retry: ['repeat', 'idempotency'],
  rollback: ['upgrade', 'restore'],
  ssl: ['tls', 'proxy'],
  swagger: ['openapi', 'api'],
  throttle: ['limit', 'rate'],
  traefik: ['proxy'],
  update: ['upgrade'],
  user: ['people', 'member'],
};

// Keeps the search fast when somebody pastes a page.
const askedWordsMax = 12;

/** Stop words. */
const stopWords = new Set(
  'a an and are as at be but by can do does did for from get had has have how i if in is it me my not of on or our should so that the their there this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
);

/** The words of a text in lower case. Names in code are split: `rate_limited_day` is three words. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a query without stop words, unless it consists of them only. */
export function askedWords(query: string): string[] {
  const words = wordsOf(query);
  const meaningful = words.filter((word) => !stopWords.has(word));
  return [...new Set(meaningful.length === 0 ? words : meaningful)].slice(0, askedWordsMax);
}

export function synonymsOf(word: string): string[] {
  return (synonyms.get(stemOf(word)) ?? []).flatMap(wordsOf);
}

/** A simple English stemmer: limits, limited and limiting have one stem. Stems are never shown. */
export function stemOf(word: string): string {
  if (word.length < 5) return word.replace(/(?<=[^s\d])s$/, '');
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=...)(?:ing|ion|ed)$/, '')
    .replace(/(?<=....)e$/, '');
}

const synonyms = new Map(Object.entries(otherWords).map(([word, others]) => [stemOf(word), others]));
