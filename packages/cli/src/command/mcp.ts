import { printUsage } from '../terminal/args.ts'
import { add, addUsage } from './mcp/add.ts'
import { consent, consentUsage } from './mcp/consent.ts'
import { importServers, importUsage } from './mcp/import.ts'
import { prompts, promptsUsage, resources, resourcesUsage } from './mcp/resources-and-prompts.ts'
import { connect, disable, disconnect, enable, list, logs, remove, revoke, secret, test } from './mcp/servers.ts'
import { approve, approveUsage, tools, toolsUsage } from './mcp/tools.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  list,
  add,
  import: importServers,
  consent,
  revoke,
  secret,
  test,
  connect,
  disconnect,
  enable,
  disable,
  remove,
  tools,
  approve,
  resources,
  prompts,
  logs,
}

const usage = [
  'tandem mcp [list] [--json]',
  addUsage,
  importUsage,
  consentUsage,
  'tandem mcp test|connect|disconnect|enable|disable|revoke|remove|logs SERVER [--json]',
  'tandem mcp secret SERVER env|header|query NAME   (reads the value from standard input)',
  toolsUsage,
  approveUsage,
  resourcesUsage,
  promptsUsage,
].join('\n       ')

/** `tandem mcp`: the MCP servers of this device. */
export async function mcp([verb = 'list', ...args]: readonly string[]): Promise<number> {
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  if (verb.startsWith('-')) return await list([verb, ...args])
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return run ? await run(args) : printUsage(`unknown action "${verb}": choose one of ${Object.keys(verbs).join(', ')}`, usage)
}
