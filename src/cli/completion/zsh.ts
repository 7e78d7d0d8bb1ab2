import { commandSteps, type Node, type Value, valueOptions, type Word } from './tree.ts';

/** A completion function for zsh; it follows the words as the one for bash does. */
export function zshScript(nodes: readonly Node[]): string {
  return `#compdef leadgate
# Completion of leadgate for zsh, made by "leadgate completion zsh".
_leadgate() {
  local at='' awaited='' word
  local -i place given=0
  local -a offered
  for ((place = 2; place < CURRENT; place++)); do
    word="\${words[place]}"
    if [[ -n $awaited ]]; then awaited=''; continue; fi
    case "$at $word" in
      (${patterns(nodes.flatMap(valueOptions))}) awaited="$word" ;;
      (*' -'*) ;;
      (${patterns(nodes.flatMap(commandSteps))}) at="\${at:+$at }$word" ;;
      (*) given+=1 ;;
    esac
  done
  if [[ -z $awaited && $PREFIX == --*=* ]]; then
    awaited="\${PREFIX%%=*}"
    compset -P '*='
  fi
  if [[ -n $awaited ]]; then
    case "$at $awaited" in
${nodes.flatMap(optionCases).join('\n')}
      (*) _message 'a value' ;;
    esac
    return
  fi
  if [[ $PREFIX == -* ]]; then
    case "$at" in
${nodes.map((node) => `      (${quoted(node.path)}) ${describe(optionWords(node))} ;;`).join('\n')}
    esac
    return
  fi
  case "$at:$given" in
${nodes.flatMap((node) => nextCases(node, nodes)).join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _leadgate "$@"; else compdef _leadgate leadgate; fi
`;
}

function patterns(texts: readonly string[]): string {
  return texts.map(quoted).join('|');
}

function optionCases({ path, options }: Node): string[] {
  return options.flatMap(({ names, value }) => {
    const action = value === null ? null : actionOf(value);
    return action === null
      ? []
      : [`      (${patterns(names.map((name) => `${path} ${name}`))}) ${action} ;;`];
  });
}

function nextCases(node: Node, nodes: readonly Node[]): string[] {
  const { path, commands } = node;
  if (commands.length > 0) return [`    (${quoted(`${path}:0`)}) ${describe(commands)} ;;`];
  return node.arguments.flatMap((value, place) => {
    if (value.isCommand) return helpCases(path, nodes);
    const action = actionOf(value);
    return action === null ? [] : [`    (${quoted(`${path}:${place}`)}) ${action} ;;`];
  });
}

function helpCases(path: string, nodes: readonly Node[]): string[] {
  const groups = nodes.filter(({ commands }) => commands.length > 0);
  const cases = groups.map((group) => `        (${quoted(group.path)}) ${describe(group.commands)} ;;`);
  return [
    `    (${quoted(`${path}:`)}*)
      case "\${words[3,CURRENT-1]}" in
${cases.join('\n')}
      esac ;;`,
  ];
}

function optionWords({ options }: Node): Word[] {
  return options.flatMap(({ names, text }) => names.map((name) => ({ name, text })));
}

function actionOf({ choices, isPath }: Value): string | null {
  if (choices.length > 0) return `compadd -- ${choices.map(quoted).join(' ')}`;
  return isPath ? '_files' : null;
}

function describe(words: readonly Word[]): string {
  const shown = words.map(({ name, text }) => quoted(`${name.replaceAll(':', '\\:')}:${text}`));
  return `offered=(${shown.join(' ')}); _describe -t commands leadgate offered`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
