import { type Rule, type RuleFamily, rules } from '../../src/domain/score/rules.ts';
import { familyCaps, rulesVersion } from '../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings, type RiskFamily } from '../../src/domain/score/settings/settings.ts';

const titles: Readonly<Record<RuleFamily, string>> = {
  email: 'The e-mail address',
  identity: 'Name and company',
  links: 'Links',
  content: 'Text',
  phone: 'Phone',
  behaviour: 'How the form was sent',
  repeat: 'Repetition',
  tenant: 'Your own lists',
  cap: 'Caps',
  fit: 'Fit',
  intent: 'Intent',
};

function row({ code, points, decisive, text }: Rule): string {
  return `| \`${code}\` | ${points}${decisive ? ', decisive' : ''} | ${text.replaceAll('{evidence}', '…')} |`;
}

const sections = (Object.keys(titles) as RuleFamily[]).map((family) => {
  const cap = familyCaps[family as RiskFamily];
  const limit = cap === undefined ? '' : `\n\nAll together at most ${cap}, unless the form says otherwise.`;
  const rows = rules.filter((rule) => rule.family === family).map(row);
  return `## ${titles[family]} (\`${family}\`)${limit}\n\n| Code | Points | What it says |\n|---|---|---|\n${rows.join('\n')}\n`;
});

const { suspect, spam } = defaultScoringSettings.thresholds;
/** docs/scoring.md, from the table of rules. */
export const scoringPage = () => `# Scoring

Ruleset ${rulesVersion}. Written by \`npm run docs\` from \`src/domain/score/rules.ts\`.

Each lead gets a **risk** from 0 to 100 and a **score** from 0 to 100 before it is committed. Both are sums that can be checked
by hand, and the ruleset is stored with the lead.

- **risk** is the sum of the points of the lead's \`reasons\`, kept within 0 and 100. Where a family of rules counts no more than its
  cap, the cap is a reason with negative points.
- **verdict**: \`suspect\` from ${suspect} on, \`spam\` from ${spam} on. For \`spam\` a decisive rule must have been hit, or rules of at least two
  families. Only \`clean\` leads are enriched; nothing is thrown away.
- **fit** and **intent**, 0 to 100 each, are the sums of the lead's \`merits\`.
- **score** is (0.6 × fit + 0.4 × intent) × (1 − risk / 140), and 0 for spam. **grade**: A from 75, B from 55, C from 35, D from 15, else E.

\`EMAIL_DISPOSABLE_MX\` is found later than the others, when enrichment has asked for the mail server of the address: see the second look in
[enrichment](enrichment.md). A dry run does not know it, and neither what a lead repeats.

A form may give rules other points, switch them off, change caps and thresholds, name honeypot fields and lists of its own.

Fields are recognised by their keys in many languages and spellings, then by the look of the value. At most 64 texts among the
first 1,000 values are read, 2,048 characters of each and 8,192 in all; all of the lead is stored, and where it holds more values, texts or characters than that,
\`LEAD_READ_IN_PART\` says so. That finding speaks neither for nor against a lead: it is no second family. What a lead repeats is known for ten minutes to an hour, per form and process.

${sections.join('\n')}`;
