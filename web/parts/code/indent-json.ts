const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
const step = '  ';

/**
 * JSON with line breaks. It works on the text, because parsing would round long numbers. Whatever is not JSON stays as it
 * is.
 */
export function indentJson(json: string): string {
  if (!isJson(json)) return json;
  let depth = 0;
  let before = '';
  let out = '';
  for (const [token] of json.matchAll(tokens)) {
    const isOpening = token === '{' || token === '[';
    const isClosing = token === '}' || token === ']';
    const isEmpty = isClosing && (before === '{' || before === '[');
    if (isClosing) depth--;
    if (token !== ',' && token !== ':' && !isEmpty && (isClosing || /^[{[,]$/.test(before)))
      out += `\n${step.repeat(depth)}`;
    out += token === ':' ? ': ' : token;
    if (isOpening) depth++;
    before = token;
  }
  return out;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
