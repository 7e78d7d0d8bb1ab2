/** What a browser says about itself. Null for parts that are not recognised. */
export interface BrowserName {
  readonly browser: string | null;
  readonly system: string | null;
  /** For people: "Chrome on macOS", "curl", "Unknown browser". */
  readonly name: string;
}

// Browsers also name those they imitate, so the order matters: Edge says Chrome and Safari too.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

// "curl/8.5.0": a program, by the name it gives itself, of letters that cannot disturb a page.
const program = /^([A-Za-z][\w.-]{0,30})\/\d/;
// Browsers send some hundred characters.
const charactersMax = 1_000;

/** The browser and system behind a user agent, enough to recognise a session. Anything else in it is never shown. */
export function browserName(userAgent: string | null): BrowserName {
  const agent = (userAgent ?? '').slice(0, charactersMax);
  const isBrowser = agent.startsWith('Mozilla/') || agent.startsWith('Opera/');
  const browser = isBrowser ? firstOf(browsers, agent) : programName(agent);
  const system = firstOf(systems, agent);
  const shown = browser ?? 'Unknown browser';
  return { browser, system, name: system === null ? shown : `${shown} on ${system}` };
}

function programName(agent: string): string | null {
  // Its fetch gives no version.
  return agent === 'node' ? 'Node.js' : (program.exec(agent)?.[1] ?? null);
}

function firstOf(table: readonly (readonly [RegExp, string])[], agent: string): string | null {
  return table.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
}
