import { resolve } from 'node:path'
import { findAgent } from '../command/agents.ts'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { parseInputs, type WorkflowValues } from './inputs.ts'
import { followInTerminal, sessionOptions, unlessResident } from './session.ts'
import { findWorkflow, oneWorkflow } from './workflow.ts'
import { nameOf, type ReadFile, readTextFile } from './workflow-file.ts'

export const startUsage = explainedUsage(
  'tandem workflows start WORKFLOW [--input NAME=VALUE]… [--inputs FILE|-] [--agent NAME] [--workspace DIR] [--key KEY] [--yes] [--detach] [--json]',
  'Starts a workflow, follows it, and prints what it returns as JSON. In a terminal, it asks for approvals and answers.',
  '--input: a value of an input: a text, a number, true or false, or JSON, depending on its type. --inputs: all of them, as a JSON object.',
  '--agent: the agent whose policy applies. --workspace: the folder to work in; the default is the current one.',
  '--key: starting again with the same key starts nothing, and follows the run that was started.',
  '--yes: approves, once, every call that has no warning. --detach: return immediately; Tandem must be running (tandem start).',
)

const options = {
  input: { type: 'string', multiple: true, default: [] as string[] },
  inputs: text,
  agent: text,
  workspace: text,
  key: text,
  ...sessionOptions,
} as const

export async function start(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, startUsage)
  if (!given.ok) return given.code
  const { input, inputs: file, agent, workspace, key, yes, detach, json } = given.values
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneWorkflow, startUsage)
  const empty = Object.entries({ inputs: file, agent, workspace, key }).find(([, value]) => value === '')
  if (empty) return printUsage(`--${empty[0]} must not be empty`, startUsage)
  const read = file === undefined ? null : readInputs(file)
  if (read && !read.ok) return read.code
  const folder = resolve(workspace ?? '.')
  return await withRuntimeClient(folder, async (client) => {
    const code = detach ? unlessResident(client) : null
    if (code !== null) return code
    const found = await findWorkflow(client, wanted)
    if (!found.ok) return refused(found.error)
    const { workflow_id } = found.value
    const stored = await client.call('workflow_get', { workflow_id })
    if (!stored.ok) return refused(stored.error)
    const values = parseInputs(stored.value.workflow.definition.inputs, input, read?.value)
    if (!values.ok) return printUsage(values.problem, startUsage)
    const owner = agent === undefined ? null : await findAgent(client, agent)
    if (owner && !owner.ok) return refused(owner.error)
    const started = await client.call('workflow_start', {
      workflow_id,
      inputs: JSON.stringify(values.values),
      workspace: folder,
      ...(owner ? { agent_id: owner.value.agent_id } : {}),
      ...(key === undefined ? {} : { key }),
    })
    if (!started.ok) return refused(started.error)
    const { run } = started.value
    if (json) console.log(JSON.stringify({ type: 'run', run }))
    else console.error(`Workflow run ${run.workflow_run_id}`)
    if (!detach) return await followInTerminal(client, run, { json, yes, inputTaken: file === '-' })
    if (!json) console.log(run.workflow_run_id)
    return 0
  })
}

function readInputs(file: string): ReadFile<WorkflowValues> {
  const content = readTextFile(file)
  if (!content.ok) return content
  try {
    const value: unknown = JSON.parse(content.value)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, value: value as WorkflowValues }
  } catch {
    // Reported below, as for every other text that is not an object.
  }
  console.error(`tandem: ${nameOf(file)} does not contain a JSON object`)
  console.error('        Write the inputs as an object, such as {"name": "value"}.')
  return { ok: false, code: exitCodes.failed }
}
