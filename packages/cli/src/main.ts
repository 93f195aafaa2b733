// `tandem`: one command name, then its arguments.
import { commands } from './command/commands.ts'
import { helpEnd } from './command/examples.ts'
import { wantsHelp } from './terminal/args.ts'
import { reportCrash } from './terminal/crash.ts'
import { isPiped } from './terminal/piped-input.ts'

// The reader of our output has closed it: there is no one to report to.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : 1))

const [name = defaultCommand(), ...args] = process.argv.slice(2)
try {
  process.exitCode = await dispatch(name, args)
} catch (error) {
  reportCrash(name, error)
  // Immediately: handles that were opened before the error would keep the process alive.
  process.exit(1)
}

async function dispatch(word: string, rest: readonly string[]): Promise<number> {
  if (word === 'help' || word === '--help' || word === '-h') return help()
  if (word === 'version' || word === '--version' || word === '-v') return await printVersion()
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command && wantsHelp(rest)) return await explained(word, () => command.run(rest))
  if (command) return await command.run(rest)
  console.error(`tandem: unknown command "${word}". The commands are ${Object.keys(commands).join(', ')}. For details, run tandem help.`)
  return 2
}

/** With a terminal a conversation; in a pipe what was piped is the message. */
function defaultCommand(): string {
  return (process.stdin.isTTY && process.stdout.isTTY) || isPiped() ? 'chat' : 'help'
}

/** The usage of a command, then what is the same for all of them. */
async function explained(word: string, showUsage: () => Promise<number>): Promise<number> {
  const { log } = console
  let printed = ''
  console.log = (text: string) => {
    printed += text
    log(text)
  }
  const code = await showUsage()
  console.log = log
  const end = helpEnd(word, printed)
  if (code === 0 && printed.startsWith('usage:') && end !== '') console.log(end)
  return code
}

function help(): number {
  const width = Math.max(...Object.keys(commands).map((word) => word.length))
  const lines = Object.entries(commands).map(([word, { summary }]) => `  tandem ${word.padEnd(width)}   ${summary}`)
  console.log(
    [
      'Tandem runs AI agents on your own machine. tandem without a command opens a conversation.',
      'To see the options and examples of a command, add --help.',
      '',
      ...lines,
    ].join('\n'),
  )
  return 0
}

async function printVersion(): Promise<number> {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
  console.log(manifest.version)
  return 0
}
