import { alarmKinds, instanceAlarmKinds } from '../../src/domain/alarm/alarm.ts';
import { alarmKindTexts, instanceAlarmKindTexts } from '../../src/domain/alarm/kind-texts.ts';
import { alarmSettingsLimits, defaultAlarmSettings } from '../../src/domain/alarm/settings.ts';
import { alarmNotes, instanceAlarmNotes } from './alarm-notes.ts';

const rows = (lines: string[][]) => lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const kindRows = alarmKinds.map((kind) => {
  const { name, text } = alarmKindTexts[kind];
  return [`\`${kind}\``, `**${name}.** ${text}`, alarmNotes[kind].severity];
});
const detailRows = alarmKinds.map((kind) => {
  const { when, over } = alarmNotes[kind];
  return [`\`${kind}\``, when, over];
});
const instanceRows = instanceAlarmKinds.map((kind) => {
  const { severity, over } = instanceAlarmNotes[kind];
  return [`\`${kind}\``, instanceAlarmKindTexts[kind].text, severity, over];
});
const { digestHour, timeZone } = defaultAlarmSettings;

/** docs/alarms.md: its tables of kinds come from the code. */
export const alarmsPage = () => `# Alarms

A form that gets no leads looks the same as a form that is broken, and a sender whose leads are rejected gets no error. Leadgate tells you: it compares what arrives with what usually arrives, and raises an alarm when leads are rejected, missing or
about to be lost. If the operator has a mail server, you get an email without setting anything up: within about two minutes for most kinds.

## Kinds

| Kind | Alarm | Severity |
|---|---|---|
${rows(kindRows)}

\`high\` and \`medium\` are told immediately, \`low\` once a day in a [digest](#how-often). There is one open alarm of a kind about the same form, token, destination and reason; it closes by itself.

| Kind | Raised when | Over when |
|---|---|---|
${rows(detailRows)}

\`all_rejected\` and \`after_change\` need no statistics. If someone rotates a secret and forgets the provider, the first rejected leads raise an alarm that names the change, its time and who made it. The rejected leads are [held](held.md) meanwhile.
If one cause fits several kinds, you get the one that says the most: there is no \`reject_spike\` beside an \`after_change\`, and no \`silence\` of a token beside that of its form.

## Silence

Leads do not come evenly: there are nights, weekends, campaigns and holidays. So time is not measured in hours but in *expected leads*.

1. Each night Leadgate learns from the last 8 weeks how many leads a form gets in each hour of the week, in your time zone.
2. Since the last lead, it adds up how many should have come. On slow days, such as holidays, it expects less.
3. It raises an alarm when more than 9.2 leads are missing, and one and a half times as many as in the longest pause of those 8 weeks, and never before half an hour. At 9.2 missing leads, chance alone is one in ten thousand; the second condition is there because real leads come in bursts.

Times at which Leadgate itself was down are left out: they are no silence of a sender. The price is patience, and a form with few leads needs more of it:

| Leads a week | A form that breaks is noticed after about | False alarms per form |
|---|---|---|
| 10 | 6 days | about one a year |
| 50 | 2 days | less than two a year |
| 300 | 9 to 20 hours | up to three a year |
| 3,000 | 1 to 7 hours | none to six a year, the more the days differ |

The numbers are from a simulation with several kinds of weeks (\`npm run simulate:alarms\`), as medians. The settings of a form, \`GET …/forms/:id/rhythm\` and \`leadgate alarm rhythm\` say it for each form: "would notice after about 19 hours".

- **Too few.** A form needs two weeks of history and five leads a week. Otherwise set \`silent_days\`: "tell me after 3 days without a lead", from 1 to ${alarmSettingsLimits.silentDays}.
- **Sensitive.** With \`sensitive\`, 1.2 times the longest pause is enough instead of 1.5: 10 to 20 % sooner, with about twice as many false alarms.
- **Tokens.** If a form has several sources, each token is watched, too.
- **Inactive.** A form that is inactive, or of a suspended workspace, has no silence.

## What others cannot cause

Anyone who knows the URL of a form can send requests that are rejected. They must not be able to wake you:

- Rejections count for \`all_rejected\`, and for a \`high\` \`reject_spike\`, only if the sender is authenticated: a valid token or a matching signature.
- Without that, a flood of forged requests is one line in the daily digest.
- What rests on requests from web pages alone is \`medium\` at most, because pages have no secret.
- \`after_change\` also counts rejections such as \`signature_mismatch\`, or \`form_unknown\` at a [former slug](webhook.md#former-slugs), which have no authenticated sender, but only if the form accepted leads before the change and none since, and had no such rejection in the day before.

## Who is told

| Way | What you do |
|---|---|
| Email to all owners | nothing. It needs [\`SMTP_URL\`](configuration.md), and can be turned off in the [settings](#settings) |
| Settings area | nothing. The bell counts alarms that nobody has acknowledged, the Overview shows open ones, and *Alarms* lists all |
| Chat, other people, your own systems | subscribe a [destination](destinations.md#events) to \`alarm.opened\`, \`alarm.reminder\`, \`alarm.closed\` and \`alarm.digest\`: [email](email.md), [chat](chat.md) or webhook |
| Programs that ask | the same events are in the [feed](events.md), and all alarms in the [API](#api-and-command-line) |

A destination with \`form_ids\` gets the alarms about these forms and about the whole workspace. Its filter is about leads and does not apply. Alarms leave before waiting leads, each by itself, also from a destination that collects leads for an hour or a day. A destination gets no alarm about itself.

A message has counts, names of forms, tokens and destinations, times, the last error of a destination, and a link to the page with the filters set. **It never contains a value of a lead**, so an alarm can go to people who may not see leads. \`field_vanished\` names the key of a field.

### How often

- One message when the alarm opens, reminders after 1 hour, after 24 hours and then weekly, and one when it is over.
- No reminders once someone has acknowledged it.
- At most 20 messages an hour for a workspace, of which medium alarms leave half to high ones. What is more comes together in one digest as soon as the hour has space.
- What comes again within an hour of the last message about it is in a digest at the end of that hour, once, however often it opened and closed.
- \`low\` alarms come once a day, at the hour that you choose.
- An alarm that closes because something else says more (\`superseded\`), or because its form was deleted or its kind turned off (\`removed\`), closes without a message.

Each event has one ID, also if an instance is killed while it tells. Emails have a stable \`Message-ID\`, and are tried again for three days if the mail server is down.

## Acknowledge, mute, turn off

| You want | Do | Effect |
|---|---|---|
| to say "I am on it" | *Acknowledge* | no reminders; your name is shown. The message that it is over still comes |
| quiet for a while, such as a relaunch | *Mute until* | alarms are raised and listed, and nobody is told until then |
| never to hear of a kind, for one form or all | turn it off | no such alarm is raised, and an open one closes |

## Settings

*Alarms → Alarm settings*, \`leadgate alarm set\`, or the API. All are per workspace:

| Setting | Default | Meaning |
|---|---|---|
| \`email_owners\` | on | emails to all owners |
| \`time_zone\` | \`${timeZone}\` | in which the usual hours of leads are learnt and the digest is sent. Set yours: otherwise the change to summer time looks like a change of habits |
| \`digest_hour\` | ${digestHour} | the hour of the daily digest |
| \`rules\` | none | up to ${alarmSettingsLimits.rules}. Each is for a \`kind\`, all forms or one (\`form_id\`), or a token of it (\`token_id\`), and says \`enabled\`, \`muted_until\`, and for \`silence\` \`sensitive\` and \`silent_days\`. Only the most specific rule applies |

## API and command line

An owner, or an [API key](api-keys.md) with \`alarms:read\`, and \`alarms:write\` to change something:

\`\`\`sh values
url=http://localhost:3000
workspace=…   # workspace ID
form=…        # form ID
key=…         # API key
\`\`\`

\`\`\`sh run
curl -s "$url/api/v1/workspaces/$workspace/alarms?state=open" -H "Authorization: Bearer $key"
curl -s "$url/api/v1/workspaces/$workspace/forms/$form/rhythm" -H "Authorization: Bearer $key"
\`\`\`

\`\`\`sh run
curl -s -X PUT "$url/api/v1/workspaces/$workspace/alarm-settings" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \\
  -d '{"time_zone":"Europe/Berlin","rules":[{"kind":"silence","form_id":"'$form'","silent_days":3}]}'
\`\`\`

\`\`\`json answer
{"version": 1, "email_owners": true, "emails_available": true, "time_zone": "Europe/Berlin", "digest_hour": 8, "rules": [{"kind": "silence", "form_id": "0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d20", "silent_days": 3}]}
\`\`\`

| Request | What it does |
|---|---|
| \`GET /api/v1/workspaces/:w/alarms\` | list, newest first; filters \`state\`, \`kind\`, \`form_id\` |
| \`GET …/alarms/:id\` | one, with who was told and when |
| \`POST …/alarms/:id/acknowledgement\` | acknowledge |
| \`GET …/alarm-settings\`, \`PUT …/alarm-settings\` | read and replace the settings. With \`expected_version\`, a change of someone else is not overwritten |
| \`GET …/forms/:id/rhythm\` | when a form usually gets leads, and when their absence would be noticed |
| \`GET …/forms/:id/clock-drift\` | how far the signed times of its sender are off |

\`\`\`sh
leadgate alarm list --state open
leadgate alarm acknowledge 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10
leadgate alarm mute --kind silence --form contact --until 2027-01-07T08:00:00Z
leadgate alarm silence --form contact --days 3
leadgate alarm rhythm contact
\`\`\`

## Payload

A webhook subscribed to \`alarm.opened\` gets this body, also with the format \`mapped\`. \`alarm.reminder\` and \`alarm.closed\` look the same; an \`alarm.digest\` has up to 50 of them in \`alarms\`, the most important first, and in \`more\` how many others there are. With \`flat\`, what is in \`data\` is in \`_leadgate\`; \`thin\` leaves out names, texts and evidence.

\`\`\`json
{
  "type": "alarm.opened",
  "timestamp": "2026-11-16T09:14:00.000Z",
  "data": {
    "alarm": {
      "id": "0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10",
      "kind": "after_change",
      "severity": "high",
      "form_id": "0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d20",
      "form_name": "Contact",
      "token_id": null,
      "token_name": null,
      "destination_id": null,
      "destination_name": null,
      "reason": "signature_mismatch",
      "opened_at": "2026-11-16T09:14:00.000Z",
      "closed_at": null,
      "title": "Leads for Contact are rejected since the webhook secret was changed",
      "facts": [{ "label": "Changed by", "value": "Ada Lovelace" }, { "label": "Rejected since", "value": "3" }],
      "url_path": "/w/0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d21/tokens/diagnostics?form_id=0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d20&reason=signature_mismatch",
      "evidence": {
        "change": { "action": "setOrRotateTheWebhookSecret", "text": "Rotated the webhook secret", "at": "2026-11-16T09:12:00.000Z", "by": "Ada Lovelace" },
        "since": "2026-11-16T09:12:00.000Z",
        "rejected": 3,
        "first_at": "2026-11-16T09:13:05.000Z"
      },
      "url": "https://leads.example.com/w/0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d21/tokens/diagnostics?form_id=0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d20&reason=signature_mismatch"
    }
  }
}
\`\`\`

\`title\` and \`facts\` are for people and can change. Programs use \`kind\`, \`reason\` and \`evidence\`; its members depend on the kind. \`url\` is null if the operator has not set [\`PUBLIC_URL\`](configuration.md).

## Alarms of the instance

Operators get alarms about the whole service by email, on the page *Operator*, and with \`GET /api/v1/operator/alarms\` and \`leadgate alarm list --operator\`. They are raised, reminded and acknowledged like those of workspaces:

| Kind | Raised when | Severity | Over when |
|---|---|---|---|
${rows(instanceRows)}

## Limits

- Alarms are judged once a minute, by one instance. If it dies, another one takes over and says so (\`watch_interrupted\`).
- If all instances are down, nobody judges. Use the [Prometheus alerts](operating.md#alerts), which run elsewhere.
- While PostgreSQL is down, nothing is judged or told: counts arrive afterwards, and the time is not counted as silence.
- Each instance notes once a minute what waits in its spool, if it can reach PostgreSQL. While it cannot, there is the alert on \`leadgate_spool_leads\`.
- Of a [Citus cluster](citus.md), workspaces on a node that is down are not judged: unknown is not zero.
- An alarm is seen by what is counted. A form that loses every tenth lead on the sender's side looks like a slow week.
- Alarms are kept for 400 days.

[Decision 32](decisions/0032-alarms-are-judged-from-counts.md) gives the reasons.
`;
