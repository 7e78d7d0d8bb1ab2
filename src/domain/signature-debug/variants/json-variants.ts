import { type JsonTree, readJsonTree } from './json-tree.ts';
import { type Variant, wrong } from './variant.ts';

interface Style {
  readonly comma: string;
  readonly colon: string;
  readonly indent: string;
  readonly areKeysSorted: boolean;
  readonly areNumbersShort: boolean;
  readonly escaped: (quoted: string) => string;
}

/** How common libraries write JSON; `like` names one that does so by default. */
const spacings = [
  { comma: ',', colon: ':', indent: '', like: 'compact, like JSON.stringify' },
  { comma: ', ', colon: ': ', indent: '', like: 'with spaces, like Python' },
  { comma: ',', colon: ': ', indent: '  ', like: 'indented with 2 spaces' },
  { comma: ',', colon: ': ', indent: '    ', like: 'indented with 4 spaces' },
  { comma: ',', colon: ': ', indent: '\t', like: 'indented with tabs' },
] as const;
const escapings = [
  { escaped: (text: string) => text, like: '' },
  { escaped: escapeSlashes, like: ', with / escaped like PHP' },
  { escaped: escapeNonAscii, like: ', with non-ASCII characters escaped' },
  {
    escaped: (text: string) => escapeSlashes(escapeNonAscii(text)),
    like: ', with / and non-ASCII characters escaped like PHP',
  },
  { escaped: escapeHtml, like: ', with <, > and & escaped like Go' },
] as const;

/** The same JSON as other programs would write it. Lazy, because each copy of a large body takes time. */
export function* jsonVariants(text: string): Generator<Variant<string>> {
  const tree = readJsonTree(text);
  if (tree === null) return;
  yield copy(JSON.stringify(JSON.parse(text)), spacings[0].like);
  for (const areNumbersShort of [false, true]) {
    for (const areKeysSorted of [false, true]) {
      const order = areKeysSorted ? 'with sorted keys, ' : '';
      for (const spacing of spacings) {
        for (const { escaped, like } of escapings) {
          const style = { ...spacing, areKeysSorted, areNumbersShort, escaped };
          yield copy(write(tree, style, '\n'), `${order}${spacing.like}${like}`);
        }
      }
    }
  }
}

function copy(text: string, like: string): Variant<string> {
  return wrong(text, 'body_reserialized', `a re-serialised copy of the body was signed (${like})`);
}

function write(tree: JsonTree, style: Style, line: string): string {
  switch (tree.kind) {
    case 'literal':
      return tree.text;
    case 'number':
      return style.areNumbersShort ? JSON.stringify(Number(tree.text)) : tree.text;
    case 'string':
      return style.escaped(JSON.stringify(tree.value));
    case 'list':
      return enclosed(
        '[',
        ']',
        tree.items.map((item) => write(item, style, line + style.indent)),
        style,
        line,
      );
    case 'object': {
      const members = [...tree.members].map(([key, value]) => ({ key, value }));
      if (style.areKeysSorted) members.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
      const written = members.map(
        ({ key, value }) =>
          style.escaped(JSON.stringify(key)) + style.colon + write(value, style, line + style.indent),
      );
      return enclosed('{', '}', written, style, line);
    }
  }
}

function enclosed(open: string, close: string, items: readonly string[], style: Style, line: string): string {
  if (items.length === 0) return open + close;
  if (style.indent === '') return open + items.join(style.comma) + close;
  return open + line + style.indent + items.join(style.comma + line + style.indent) + line + close;
}

function escapeSlashes(text: string): string {
  return text.replaceAll('/', '\\/');
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(/[\u007f-\uffff]/g, unicodeEscape);
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
