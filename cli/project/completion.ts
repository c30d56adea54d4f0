import { Argument, Command, type Option } from "commander";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** Words that may follow the words of a command. */
type Choice = {
  readonly path: string;
  readonly words: readonly { readonly name: string; readonly about: string }[];
};

/** `waybill completion`: a script that completes commands and flags in a shell. */
export function completionCommand(): Command {
  const command = new Command("completion")
    .description("print a script that completes commands and flags in your shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText(
      "after",
      `
Examples:
  source <(waybill completion bash)
  waybill completion zsh > "\${fpath[1]}/_waybill"
  waybill completion fish > ~/.config/fish/completions/waybill.fish`,
    );
  return withWork<object, [Shell]>(command, async (terminal, _, shell) => run(terminal, command, shell));
}

function run(terminal: Terminal, command: Command, shell: Shell): void {
  const root = command.parent ?? command;
  const script = { bash, fish, zsh }[shell](choicesOf(root, root.name()));
  terminal.result({ script, shell }, script);
}

function choicesOf(command: Command, path: string): readonly Choice[] {
  const commands = command.commands.map((each) => ({
    about: each.summary() || each.description(),
    name: each.name(),
  }));
  const flags = command.options.map((option: Option) => ({
    about: option.description,
    name: option.long ?? option.short ?? "",
  }));
  const words = [...commands, ...flags, { about: "show the help", name: "--help" }];
  return [{ path, words }, ...command.commands.flatMap((each) => choicesOf(each, `${path} ${each.name()}`))];
}

/** Finds the longest known command in the words before the cursor, then offers what follows it. */
function bash(choices: readonly Choice[]): string {
  const cases = choices.map(
    ({ path, words }) => `    "${path}") words="${words.map(({ name }) => name).join(" ")}" ;;`,
  );
  return `_waybill() {
  local path="waybill" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${choices.map(({ path }) => `"${path}"`).join("|")}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _waybill waybill`;
}

function zsh(choices: readonly Choice[]): string {
  return `#compdef waybill
autoload -U +X bashcompinit && bashcompinit
${bash(choices)}`;
}

function fish(choices: readonly Choice[]): string {
  const lines = choices.flatMap(({ path, words }) => {
    const names = path.split(" ").slice(1);
    const isRoot = names.length === 0;
    const when = isRoot
      ? "__fish_use_subcommand"
      : names.map((name) => `__fish_seen_subcommand_from ${name}`).join("; and ");
    return words.map(({ about, name }) => {
      const word = name.startsWith("--") ? `-l ${name.slice(2)}` : `-a ${name}`;
      return `complete -c waybill -n "${when}" ${word} -d '${about.replaceAll(/['\\]/g, "")}'`;
    });
  });
  return lines.join("\n");
}
