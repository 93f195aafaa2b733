// `tandem`: one word, then what is to be done. Each command's code is loaded only when it is asked for.
import { reportCrash } from './terminal/crash.ts'

interface Command {
  readonly summary: string
  run(args: readonly string[]): Promise<number>
}

const commands: Record<string, Command> = {
  start: {
    summary: 'Start Tandem: the window and, on this machine, the backend',
    run: async (args) => (await import('./command/start.ts')).start(args),
  },
  run: {
    summary: 'Give an agent a task and follow its progress',
    run: async (args) => (await import('./command/run.ts')).run(args),
  },
  runs: {
    summary: 'List the runs of this device',
    run: async (args) => (await import('./command/runs.ts')).runs(args),
  },
  resume: {
    summary: 'Resume a paused run, with an answer if it needs one',
    run: async (args) => (await import('./command/resume.ts')).resume(args),
  },
  checkpoints: {
    summary: 'List the checkpoints of a run, or create one',
    run: async (args) => (await import('./command/checkpoints.ts')).checkpoints(args),
  },
  restore: {
    summary: 'Restore files to a checkpoint, or preview the restore',
    run: async (args) => (await import('./command/restore.ts')).restore(args),
  },
  agents: {
    summary: 'List, create or archive agents',
    run: async (args) => (await import('./command/agents.ts')).agents(args),
  },
  policy: {
    summary: 'Show or change what an agent may do with each tool; list and revoke what "always" remembers',
    run: async (args) => (await import('./command/policy.ts')).policy(args),
  },
  mcp: {
    summary: 'Add, test and manage the MCP servers of this device',
    run: async (args) => (await import('./command/mcp.ts')).mcp(args),
  },
  skills: {
    summary: 'List and check skills, and bind them to agents',
    run: async (args) => (await import('./command/skills.ts')).skills(args),
  },
  login: {
    summary: 'Sign in to a server, or create an account',
    run: async (args) => (await import('./command/cloud/login.ts')).login(args),
  },
  logout: {
    summary: 'Sign out, and keep or delete the data on this device',
    run: async (args) => (await import('./command/cloud/logout.ts')).logout(args),
  },
  account: {
    summary: 'Show the account of this device, change its password or delete it',
    run: async (args) => (await import('./command/cloud/account.ts')).account(args),
  },
  keys: {
    summary: 'List, create and revoke the API keys of the account',
    run: async (args) => (await import('./command/cloud/keys.ts')).keys(args),
  },
  sync: {
    summary: 'Show the synchronization status, synchronize now, or show rejected changes',
    run: async (args) => (await import('./command/cloud/sync.ts')).sync(args),
  },
  devices: {
    summary: 'List the devices of the account, rename or remove one',
    run: async (args) => (await import('./command/cloud/devices.ts')).devices(args),
  },
  tasks: {
    summary: 'List, accept, decline or send tasks',
    run: async (args) => (await import('./command/cloud/tasks.ts')).tasks(args),
  },
  command: {
    summary: 'Call any command of the runtime with JSON',
    run: async (args) => (await import('./command/call.ts')).callCommand(args),
  },
  server: {
    summary: 'Start only the backend, configured with environment variables',
    run: async (args) => (await import('./command/server.ts')).server(args),
  },
  'renew-epoch': {
    summary: 'Finish restoring a backup: devices send all their data again',
    run: async (args) => (await import('./command/renew-epoch.ts')).renewEpoch(args),
  },
  names: {
    summary: 'List the names of the contract: commands, tools, events, stores, step kinds, entities, endpoints and more',
    run: async (args) => (await import('./command/names.ts')).listNames(args),
  },
}

// Whoever read us has gone: there is nobody to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : 1))

const [name = 'help', ...args] = process.argv.slice(2)
try {
  process.exitCode = await dispatch(name, args)
} catch (error) {
  reportCrash(name, error)
  // At once: what was opened halfway would keep the process alive.
  process.exit(1)
}

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
