import { explainedUsage, joinUsages, printUsage } from '../terminal/args.ts'
import { add, addUsage } from './mcp/add.ts'
import { consent, consentUsage } from './mcp/consent.ts'
import { folder, folderUsage } from './mcp/folder.ts'
import { importServers, importUsage } from './mcp/import.ts'
import { prompts, promptsUsage, resources, resourcesUsage } from './mcp/resources-and-prompts.ts'
import { sampling, samplingUsage } from './mcp/sampling.ts'
import { connect, disable, disconnect, enable, list, listUsage, logs, remove, revoke, secret, secretUsage, test } from './mcp/servers.ts'
import { login, loginUsage, logout, logoutUsage } from './mcp/sign-in.ts'
import { approve, approveUsage, tools, toolsUsage } from './mcp/tools.ts'
import { update, updateUsage } from './mcp/update.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  list,
  add,
  import: importServers,
  folder,
  update,
  consent,
  revoke,
  secret,
  sampling,
  login,
  logout,
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

const usage = joinUsages(
  listUsage,
  addUsage,
  importUsage,
  folderUsage,
  updateUsage,
  consentUsage,
  explainedUsage(
    'tandem mcp test|connect|disconnect|enable|disable|revoke|remove|logs SERVER [--json]',
    'test: checks whether the server responds. enable, disable: whether it may start. revoke: withdraws the approval of what it runs. logs: shows its standard error, and tools that were left out.',
  ),
  secretUsage,
  samplingUsage,
  loginUsage,
  logoutUsage,
  toolsUsage,
  approveUsage,
  resourcesUsage,
  promptsUsage,
)

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
