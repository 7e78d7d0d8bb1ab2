import { describeRule } from '../../src/domain/score/rule-description.ts';
import { type Rule, type RuleFamily, rules } from '../../src/domain/score/rules.ts';
import { familyCaps, rulesVersion } from '../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings, type RiskFamily } from '../../src/domain/score/settings/settings.ts';

const titles: Readonly<Record<RuleFamily, string>> = {
  email: 'Email address',
  identity: 'Name and company',
  links: 'Links',
  content: 'Text',
  phone: 'Phone',
  behaviour: 'Form submission',
  repeat: 'Repetition',
  tenant: 'Your lists',
  cap: 'Caps',
  fit: 'Fit',
  intent: 'Intent',
};

function row(rule: Rule): string {
  const { code, points, decisive } = rule;
  return `| \`${code}\` | ${points}${decisive ? ', decisive' : ''} | ${describeRule(rule)} |`;
}

const sections = (Object.keys(titles) as RuleFamily[]).map((family) => {
  const cap = familyCaps[family as RiskFamily];
  const limit = cap === undefined ? '' : `\n\nCap: ${cap} points, unless the form sets another one.`;
  const rows = rules.filter((rule) => rule.family === family).map(row);
  return `## ${titles[family]} (\`${family}\`)${limit}\n\n| Code | Points | Finding |\n|---|---|---|\n${rows.join('\n')}\n`;
});

const { suspect, spam } = defaultScoringSettings.thresholds;
/** docs/scoring.md, from the table of rules. */
export const scoringPage = () => `# Scoring

Every lead gets a **risk** and a **score**, each from 0 to 100, before it is committed. Both are sums that you can check yourself, and the ruleset is stored with the
lead. This page describes ruleset ${rulesVersion}; it is generated from \`src/domain/score/rules.ts\`.

- **risk** is the sum of the points in \`reasons\`, limited to 0 to 100. A family of rules whose points exceed its cap adds a reason with negative points.
- **verdict** is \`suspect\` from a risk of ${suspect} and \`spam\` from ${spam}. \`spam\` also requires a decisive rule, or rules from at least two families. Only \`clean\`
  leads are enriched; no lead is discarded.
- **fit** and **intent**, each from 0 to 100, are the sums of the points in \`merits\`.
- **score** is (0.6 × fit + 0.4 × intent) × (1 − risk / 140), and 0 for spam.
- **grade** is A from a score of 75, B from 55, C from 35, D from 15, otherwise E.

\`GET /api/v1/workspaces/:w/leads/:id/score\` and the tab *Score* of a lead show this calculation for one lead, and what is missing for a higher score.

\`EMAIL_DISPOSABLE_MX\` is found when enrichment looks up the mail server of the address, later than the others: see
[a second look](enrichment.md#a-second-look). The next leads of the domain have it at once. Dry runs keep it for leads that have it; they cannot find repetition.

\`LEARNED_SPAM\` and \`LEARNED_WANTED\` come from the marks on earlier leads of the form: see [learning from marks](scoring-settings.md#learning-from-marks). Their points are the most that they can
add or subtract. \`LEARNED_SPAM\` does not count as a second family, and neither applies to a lead with a decisive finding or with an address on your lists.

In its [scoring settings](scoring-settings.md), a form can change points, caps and thresholds, turn rules off, and have its own honeypot fields and lists.

Fields are recognised by their keys, in many languages and spellings, then by the shape of the value. The scorer reads up to 64 texts among the first 1,000 values,
2,048 characters of each and 8,192 in total. The whole lead is stored; if it has more than that, \`LEAD_READ_IN_PART\` tells you. That rule is neutral: it does not count as a
second family.

## How wording is judged

A model weighs the words and pairs of words of each text, in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Turkish and Russian: somebody who asks us for something or reports a fault against somebody who sells (\`WORDING_SALES\`), deceives
(\`WORDING_FRAUD\`) or advertises (\`WORDING_ADVERT\`). The finding quotes the three words that weighed most. In other languages, and in texts with too few words that it knows, the model has no opinion. Phrases (\`PHRASES_…\`) name a subject; one group alone never makes
a lead suspect, and in a text that asks for something it counts only if there are many. Beside a link that does not lead to the sender's own site, doubtful wording is enough to make a short text suspect (\`LINK_IN_DOUBT\`).
Text alone never makes spam.

## How repetition is found

Each form remembers, as hashes only, what it received within the last 6 hours. Workers of one host share what they see; a restart forgets it.

- **The same lead** has the same fields, so it comes from the same person. The order of fields, dots in a Gmail address, campaign, browser and network make no difference; numbers, ticks and links do. With a message of 20 characters and more, the second copy is
  \`REPEAT_BODY\` and the third \`REPEAT_FLOOD\`; with a shorter one the third and the fifth; without a message, such as a sign-up, the fifth and the twentieth. Copies without any name, address, phone number or network may come from many people: they are never a flood.
- **The same message from other people** counts from 20 words on, even if words are changed and sentences have changed places. From four others who sent nearly the same, or from eight to eleven who sent something similar, the lead is suspect: \`REPEAT_NEAR_FLOOD\` if most
  texts are the same word for word, otherwise \`REPEAT_NEAR_MANY\`. That alone never makes spam, because the form may fill in the text itself. If yours does, turn off these two rules and \`REPEAT_NEAR\` for the form.
- **Variants of one message from the same person** are \`REPEAT_VARIED\` from the sixth on.
- Leads from one address are counted for an hour, leads from one network for ten minutes.

A form remembers about a thousand different leads and the latest 128 long messages. Those that came repeatedly are remembered longest, and a flood takes no room from others.

${sections.join('\n')}`;
