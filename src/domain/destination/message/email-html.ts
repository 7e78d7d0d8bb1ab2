const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

export function escapedLines(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}

/** Only for URLs of this service. */
export function linkHtml(label: string, url: string): string {
  return `<a href="${escaped(url)}">${escaped(label)}</a>`;
}

/**
 * A page that mail programs can show: without style sheets, which many of them remove, and without anything to be loaded.
 * It sets no background and almost no colours, so that a dark mode is readable.
 */
export function htmlPage(title: string, body: string, footer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
</head>
<body style="margin:0;padding:0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td style="padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:1.5">
<h1 dir="auto" style="margin:0 0 16px;font-size:18px;line-height:1.3">${escaped(title)}</h1>
${body}
<p style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #767676;font-size:13px;color:#767676">${footer}</p>
</td>
</tr></table>
</body>
</html>
`;
}
