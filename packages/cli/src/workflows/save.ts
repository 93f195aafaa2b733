// `tandem workflows save` and `check`.
import type { ListedWorkflow } from '@tandem/contract/command'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { nameText } from './text.ts'
import { everyWorkflow, findWorkflow } from './workflow.ts'
import { nameOf, readTextFile, readWorkflow } from './workflow-file.ts'

export const saveUsage = explainedUsage(
  'tandem workflows save FILE|- [--id WORKFLOW] [--approve-calls] [--json]',
  'Saves a workflow that is written in YAML or JSON, and prints its id. It is then approved on this device. Mistakes are listed with their lines.',
  '--id: replace this workflow. --approve-calls: calls of its tools need no further approval if their arguments are constant or inputs of yours.',
)
export const checkUsage = explainedUsage(
  'tandem workflows check FILE|- [--json]',
  'Lists the mistakes in a workflow with their lines, without saving it.',
)

const oneFile = 'specify one file, or - for standard input'

export async function save(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { id: text, 'approve-calls': flag, json }, saveUsage)
  if (!given.ok) return given.code
  const [file, ...more] = given.words
  if (file === undefined || file === '' || more.length > 0) return printUsage(oneFile, saveUsage)
  const { id } = given.values
  if (id === '') return printUsage('--id must not be empty', saveUsage)
  const content = readTextFile(file)
  if (!content.ok) return content.code
  return await withRuntimeClient(process.cwd(), async (client) => {
    const replaced = id === undefined ? null : await findWorkflow(client, id)
    if (replaced && !replaced.ok) return refused(replaced.error)
    const target = replaced ? { workflow_id: replaced.value.workflow_id, version: replaced.value.version } : {}
    const workflow = await readWorkflow(client, file, content.value, target.workflow_id)
    if (!workflow.ok) return workflow.code
    const saved = await client.call('workflow_save', { ...target, ...workflow.value, covers_calls: given.values['approve-calls'] })
    if (!saved.ok) return refused(saved.error)
    console.log(given.values.json ? JSON.stringify(saved.value) : saved.value.workflow.workflow_id)
    const all = replaced ? null : await everyWorkflow(client)
    if (all?.ok) warnAboutName(all.value, saved.value.workflow)
    return 0
  })
}

export async function check(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, checkUsage)
  if (!given.ok) return given.code
  const [file, ...more] = given.words
  if (file === undefined || file === '' || more.length > 0) return printUsage(oneFile, checkUsage)
  const content = readTextFile(file)
  if (!content.ok) return content.code
  return await withRuntimeClient(process.cwd(), async (client) => {
    const workflow = await readWorkflow(client, file, content.value)
    if (!workflow.ok) return workflow.code
    const { name, definition } = workflow.value
    const done = `${nameOf(file)} has no mistakes: ${nameText({ name })}, ${counted(definition.nodes.length, 'node')}.`
    console.log(given.values.json ? JSON.stringify({ content: workflow.value }) : done)
    return 0
  })
}

/** Which of them a name means would not be clear. */
function warnAboutName(all: readonly ListedWorkflow[], { workflow_id, name }: Pick<ListedWorkflow, 'workflow_id' | 'name'>): void {
  const [other] = all.filter((one) => one.name === name && one.workflow_id !== workflow_id)
  if (!other) return
  console.error(`tandem: warning: another workflow is also named ${nameText({ name })}: ${other.workflow_id}`)
  console.error('        To replace a workflow instead of adding one, save it with --id.')
}
