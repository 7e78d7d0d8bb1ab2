import type { Command } from 'commander';
import { exitCodes } from '../src/cli/exit.ts';
import { createProgram } from '../src/cli/program.ts';

const helpColumns = 110;

/** docs/cli.md, made of the help that the commands print themselves. */
export function cliPage(): string {
  const program = createProgram();
  const codes = Object.values(exitCodes).map(({ code, text }) => `| ${code} | ${text} |`);
  return `# The command line

\`leadgate\` runs the service and manages a running one. In the folder of the repository it is \`npx leadgate\`; \`npm link\` puts it on
your path. This page is made from the help of the commands (\`npm run docs:cli\`).

## How it behaves

- Data goes to standard output, everything else to standard error, so that every command can stand in a pipe.
- \`--json\` prints one JSON document, \`lead export\` an array; \`tail\` and \`lead send\` print one document per line.
- Colour and progress bars are for terminals only; \`NO_COLOR=1\` turns colour off there too.
- Text from senders is shown without control characters, which could steer your terminal; in JSON they are escaped.
- Commands that cannot be undone ask first. Without a terminal they need \`--yes\`, and otherwise end with 2.
- \`-\` stands for standard input where a command takes a request, a body or leads.
- Commands about workspaces, forms, slugs, tokens, secrets, leads and rejections talk to a running service at \`LEADGATE_URL\`, with the operator key from \`OPERATOR_KEY\`,
  \`--key-file\` or, for the service of this machine, \`DATA_DIR/operator.key\`.
- Secrets are never flags, which other users of the machine could read: they come from \`LEADGATE_SECRET\`, \`LEADGATE_TOKEN\`, or a prompt.
- \`start\`, \`migrate\`, \`doctor\`, \`backup\`, \`restore\` and \`rekey\` read [the configuration](configuration.md) of the service.

## Exit codes

| Code | Means |
|---|---|
${codes.join('\n')}

## Completion

\`leadgate completion\` prints a script for your shell, which completes commands, options, their values and files:

| Shell | Install |
|---|---|
| bash | \`source <(leadgate completion bash)\` in \`~/.bashrc\` |
| zsh | \`source <(leadgate completion zsh)\` in \`~/.zshrc\`, after \`compinit\` |
| fish | \`leadgate completion fish > ~/.config/fish/completions/leadgate.fish\` |

Run it again after an upgrade when you have written it to a file.

## The line break at the end of a file

Most editors end a file with a line break, and a signature covers every byte. \`diagnose\` therefore checks a saved request without its final line
break, unless \`Content-Length\` counts it. It tries the others as well, and says which one the signature is right for and which one the service
sees: always exactly what the sender sent. \`sign\` signs the bytes of the file as they are and says so when they end with a line break;
\`--trim-final-newline\` leaves it out.

## Backups

\`leadgate backup\` copies the data directory of the embedded database and the spool, with a checksum of every file. The service
must be stopped: the embedded PostgreSQL brings no tool that copies it while it runs. A database that was killed is brought to a clean end
first. The keys are left out unless you add \`--with-keys\`; a key that comes from the environment is never in it. Keep \`encryption.key\` elsewhere: a restore needs it, in
\`ENCRYPTION_KEY\` or as \`DATA_DIR/encryption.key\`, and refuses another one.
\`leadgate restore\` checks every name and file before it touches anything, refuses a data directory that is in use or not empty, and with \`--overwrite\`
puts aside what is there. With \`DATABASE_URL\`, use \`pg_dump\`, and keep \`ENCRYPTION_KEY\` and \`SPOOL_DIR\`.

## Commands

${program.commands.flatMap(sections).join('\n')}`;
}

function sections(command: Command): string[] {
  const name = `leadgate ${pathOf(command).join(' ')}`;
  return [`### ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`, ...command.commands.flatMap(sections)];
}

/** From below the program down to the command. */
export function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** What the command prints when it is asked for help. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    getOutHelpWidth: () => helpColumns,
    getOutHasColors: () => false,
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.trimEnd();
}
