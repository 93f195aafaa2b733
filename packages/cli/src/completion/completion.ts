import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { commandWords } from './command-words.ts'
import { bashScript, type CompletedCommand, fishScript, zshScript } from './shell-scripts.ts'

const scripts: Readonly<Record<string, (all: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

const usage = explainedUsage(
  'tandem completion bash|zsh|fish',
  'Prints a script that completes the commands, actions and options of tandem. To use it in every session:',
  'bash: add source <(tandem completion bash) to ~/.bashrc. zsh: add source <(tandem completion zsh) to ~/.zshrc, after compinit.',
  'fish: run tandem completion fish > ~/.config/fish/completions/tandem.fish',
)

/** Words that are not commands of their own. */
const answeredByMain = { help: { summary: 'List the commands' }, version: { summary: 'Print the version' } }

/** `tandem completion`: for the shell of the user. */
export async function completion(
  args: readonly string[],
  commands: Readonly<Record<string, { readonly summary: string }>>,
): Promise<number> {
  const given = parseArguments(args, {}, usage)
  if (!given.ok) return given.code
  const [shell = '', ...more] = given.words
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!script || more.length > 0) return printUsage(`specify one of ${Object.keys(scripts).join(', ')}`, usage)
  const all = Object.entries({ ...commands, ...answeredByMain }).map(([name, { summary }]) => ({
    name,
    summary,
    ...(commandWords[name] ?? { actions: [], options: [] }),
  }))
  console.log(script(all))
  return 0
}
