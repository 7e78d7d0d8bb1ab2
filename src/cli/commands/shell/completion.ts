import { Argument, type Command } from 'commander';
import { newCommand } from '../../command.ts';
import { bashScript } from '../../completion/bash.ts';
import { fishScript } from '../../completion/fish.ts';
import { nodesOf } from '../../completion/tree.ts';
import { zshScript } from '../../completion/zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const completionCommand = () =>
  newCommand('completion', 'Print a shell completion script for commands, options and values.', [
    'completion bash > ~/.local/share/bash-completion/completions/leadgate',
    'completion zsh > ~/.zsh/completions/_leadgate  # a folder in fpath',
    'completion fish > ~/.config/fish/completions/leadgate.fish',
  ])
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts, _options: object, command: Command) => {
      process.stdout.write(scripts[shell](nodesOf(command.parent as Command)));
    });
