import type { NoticeWhat } from '../domain/alarm/notice.ts';
import type { AlarmDigest, AlarmOnWire, ToldContent } from '../domain/alarm/told.ts';
import { escaped, htmlPage, linkHtml } from '../domain/destination/message/email-html.ts';
import { lineOf } from '../domain/destination/message/plain-text.ts';

export interface AlarmEmail {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface EmailedNotice {
  /** Null for the instance. */
  readonly workspaceId: string | null;
  readonly workspaceName: string | null;
  readonly what: NoticeWhat;
  readonly content: ToldContent;
}

const limits = { title: 200, name: 100, label: 100, value: 500 } as const;

/** What an owner or operator reads. Names come from other people, so each is one line of plain text. */
export function alarmEmail(notice: EmailedNotice, publicUrl: string): AlarmEmail {
  const { workspaceName, content } = notice;
  const name = workspaceName === null ? null : lineOf(workspaceName, limits.name);
  const title =
    'alarm' in content
      ? titleOf(notice.what, content.alarm)
      : digestTitle(content.alarms.length + content.more);
  const body = 'alarm' in content ? alarmBody(content.alarm, publicUrl) : digestBody(content, publicUrl);
  const footer = footerOf(notice, name, publicUrl);
  return {
    subject: lineOf(name === null ? title : `${name}: ${title}`, limits.title),
    text: `${[title, ...body.text, ['-- ', ...footer.text].join('\n')].join('\n\n')}\n`,
    html: htmlPage(title, body.html, footer.html),
  };
}

const prefixes: Readonly<Record<NoticeWhat, string>> = {
  opened: '',
  reminder: 'Still open: ',
  closed: 'Over: ',
  digest: '',
};

function titleOf(what: NoticeWhat, { title }: AlarmOnWire): string {
  return lineOf(prefixes[what] + title, limits.title);
}

function digestTitle(count: number): string {
  return count === 1 ? '1 alarm' : `${count} alarms`;
}

interface Body {
  readonly text: readonly string[];
  readonly html: string;
}

const openAlarm = 'Show more';

function alarmBody({ facts, url_path }: AlarmOnWire, publicUrl: string): Body {
  const shown = facts.map(({ label, value }) => [lineOf(label, limits.label), lineOf(value, limits.value)]);
  const url = publicUrl + url_path;
  const rows = shown.map(
    ([label = '', value = '']) =>
      `<tr><td dir="auto" style="padding:4px 16px 4px 0;vertical-align:top;color:#767676">${escaped(label)}</td>` +
      `<td dir="auto" style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
  );
  const table = rows.length === 0 ? '' : `<table role="presentation">${rows.join('\n')}</table>`;
  return {
    text: [
      ...(shown.length === 0 ? [] : [shown.map(([label, value]) => `${label}: ${value}`).join('\n')]),
      `${openAlarm}: ${url}`,
    ],
    html: `${table}<p style="margin:16px 0">${linkHtml(openAlarm, url)}</p>`,
  };
}

function digestBody({ alarms, more }: AlarmDigest, publicUrl: string): Body {
  const last = more === 0 ? [] : [`and ${more} more`];
  const entries = alarms.map((alarm) => ({
    title: titleOf(alarm.closed_at === null ? 'opened' : 'closed', alarm),
    url: publicUrl + alarm.url_path,
  }));
  const items = [...entries.map(({ title, url }) => linkHtml(title, url)), ...last];
  return {
    text: [...entries.map(({ title, url }) => `- ${title}\n  ${url}`), ...last],
    html: `<ul>${items.map((item) => `<li dir="auto">${item}</li>`).join('\n')}</ul>`,
  };
}

function footerOf({ workspaceId }: EmailedNotice, name: string | null, publicUrl: string): Body {
  const why =
    name === null
      ? 'You get this email because you are an operator of this service.'
      : `You get this email because you are an owner of the workspace ${name}.`;
  if (workspaceId === null) return { text: [why], html: escaped(why) };
  const change = 'Change the alarm settings';
  const url = `${publicUrl}/w/${workspaceId}/alarms/settings`;
  return { text: [why, `${change}: ${url}`], html: `${escaped(why)}<br>${linkHtml(change, url)}` };
}
