// `tandem`: one word, then what is to be done. Each command's code is loaded only when it is asked for.

interface Command {
  readonly summary: string
  run(args: readonly string[]): Promise<number>
}

const commands: Record<string, Command> = {
  start: {
    summary: 'Start Tandem: the window and, on this machine, the backend',
    run: async (args) => (await import('./command/start.ts')).start(args),
  },
  server: {
    summary: 'Start the backend alone, configured by the environment',
    run: async (args) => (await import('./command/server.ts')).server(args),
  },
  'renew-epoch': {
    summary: 'End the restore of a backup: devices send everything they hold once more',
    run: async (args) => (await import('./command/renew-epoch.ts')).renewEpoch(args),
  },
  names: {
    summary: 'List the names of the contract: commands, tools, events, stores, entities, endpoints',
    run: async (args) => (await import('./command/names.ts')).listNames(args),
  },
}

const [name = 'help', ...args] = process.argv.slice(2)
process.exitCode = await dispatch(name, args)

async function dispatch(word: string, rest: readonly string[]): Promise<number> {
  if (word === 'help' || word === '--help' || word === '-h') return help()
  if (word === 'version' || word === '--version' || word === '-v') return await printVersion()
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command) return await command.run(rest)
  console.error(`tandem: there is no command "${word}". The commands are ${Object.keys(commands).join(', ')}; see tandem help.`)
  return 2
}

function help(): number {
  const width = Math.max(...Object.keys(commands).map((word) => word.length))
  const lines = Object.entries(commands).map(([word, { summary }]) => `  tandem ${word.padEnd(width)}   ${summary}`)
  console.log(['Tandem: a local-first home for AI agents. The desktop executes; the cloud stores and forwards.', '', ...lines].join('\n'))
  return 0
}

async function printVersion(): Promise<number> {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
  console.log(manifest.version)
  return 0
}
